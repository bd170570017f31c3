package main

import "math/rand/v2"

// Histories of minutes up to days, use from next to nothing to many cores, and requests around it.
func generate(count int, seed uint64) []question {
	random := rand.New(rand.NewPCG(seed, seed))
	pick := func(from []int) int { return from[random.IntN(len(from))] }
	questions := make([]question, count)
	for i := range questions {
		scale := pick([]int{20, 300, 1000, 8000, 40000})
		runs := make([][2]int, 1+random.IntN(6))
		for j := range runs {
			longest := pick([]int{3, 30, 300, 3000})
			runs[j] = [2]int{1 + random.IntN(longest), random.IntN(scale)}
		}
		questions[i] = question{
			Runs:       runs,
			Containers: pick([]int{1, 1, 1, 2, 3, 7}),
			Request:    int64(1 + random.IntN(2*scale)),
			Age:        pick([]int{1, 60, 719, 720, 721, 5000}),
		}
	}
	return questions
}
