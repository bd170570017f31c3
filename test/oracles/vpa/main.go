// Answers what the Vertical Pod Autoscaler's own packages make of the use of a container.
//
//	in:  {"runs": [[minutes, millicores], ...], "containers": n, "request": millicores, "age": minutes}
//	     a line each: one sample a minute, run after run; the pod has n containers; the request and
//	     the age are those of the pod that the updater looks at after the last sample
//	out: the same with "lower", "target" and "upper", in millicores, and "updates": whether it acts
//
// With -generate N -seed S it prints N questions to ask instead.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	vpatypes "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/recommender/config"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/recommender/logic"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/recommender/model"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/updater/priority"
	vpautil "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/utils/vpa"
)

type question struct {
	Runs       [][2]int `json:"runs"`
	Containers int      `json:"containers"`
	Request    int64    `json:"request"`
	Age        int      `json:"age"`
}

type answered struct {
	question
	Lower   int64 `json:"lower"`
	Target  int64 `json:"target"`
	Upper   int64 `json:"upper"`
	Updates bool  `json:"updates"`
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func main() {
	count := flag.Int("generate", 0, "print this many questions")
	seed := flag.Uint64("seed", 1, "seed of the questions")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	print := func(line any) {
		if err := encoder.Encode(line); err != nil {
			log.Fatal(err)
		}
	}
	if *count > 0 {
		for _, one := range generate(*count, *seed) {
			print(one)
		}
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var one question
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			log.Fatal(fmt.Errorf("reading %q: %w", lines.Text(), err))
		}
		print(answer(one))
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func answer(one question) answered {
	recommended := recommender().GetRecommendedPodResources(statesOf(one))["app"]
	amount := func(of model.Resources) int64 { return int64(of[model.ResourceCPU]) }
	found := answered{
		question: one,
		Lower:    amount(recommended.LowerBound),
		Target:   amount(recommended.Target),
		Upper:    amount(recommended.UpperBound),
	}
	found.Updates = updates(found)
	return found
}

func recommender() logic.PodResourceRecommender {
	usual := config.DefaultRecommenderConfig()
	return logic.CreatePodResourceRecommender(logic.RecommendationConfig{
		SafetyMarginFraction:       usual.SafetyMarginFraction,
		PodMinCPUMillicores:        usual.PodMinCPUMillicores,
		PodMinMemoryMb:             usual.PodMinMemoryMb,
		TargetCPUPercentile:        usual.TargetCPUPercentile,
		LowerBoundCPUPercentile:    usual.LowerBoundCPUPercentile,
		UpperBoundCPUPercentile:    usual.UpperBoundCPUPercentile,
		ConfidenceIntervalCPU:      usual.ConfidenceIntervalCPU,
		TargetMemoryPercentile:     usual.TargetMemoryPercentile,
		LowerBoundMemoryPercentile: usual.LowerBoundMemoryPercentile,
		UpperBoundMemoryPercentile: usual.UpperBoundMemoryPercentile,
		ConfidenceIntervalMemory:   usual.ConfidenceIntervalMemory,
	})
}

// The container that is asked about, and others that share the pod's minimum with it.
func statesOf(one question) model.ContainerNameToAggregateStateMap {
	states := model.ContainerNameToAggregateStateMap{"app": model.NewAggregateContainerState()}
	minute := 0
	for _, run := range one.Runs {
		for range run[0] {
			addSample(states["app"], minute, run[1])
			minute++
		}
	}
	for i := 1; i < one.Containers; i++ {
		other := model.NewAggregateContainerState()
		addSample(other, 0, 1)
		states["other-"+strconv.Itoa(i)] = other
	}
	return states
}

func addSample(state *model.AggregateContainerState, minute, milli int) {
	state.AddSample(&model.ContainerUsageSample{
		MeasureStart: start.Add(time.Duration(minute) * time.Minute),
		Usage:        model.ResourceAmount(milli),
		Resource:     model.ResourceCPU,
	})
}

// The recommendation as it stands: without a policy nothing caps it.
type uncapped struct{}

func (uncapped) Apply(vpa *vpatypes.VerticalPodAutoscaler, _ *corev1.Pod) (*vpatypes.RecommendedPodResources, vpautil.ContainerToAnnotationsMap, error) {
	return vpa.Status.Recommendation, nil, nil
}

func updates(found answered) bool {
	cpu := func(milli int64) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: *resource.NewMilliQuantity(milli, resource.DecimalSI)}
	}
	vpa := &vpatypes.VerticalPodAutoscaler{}
	vpa.Status.Recommendation = &vpatypes.RecommendedPodResources{
		ContainerRecommendations: []vpatypes.RecommendedContainerResources{{
			ContainerName: "app",
			LowerBound:    cpu(found.Lower),
			Target:        cpu(found.Target),
			UpperBound:    cpu(found.Upper),
		}},
	}
	now := start
	began := metav1.NewTime(now.Add(-time.Duration(found.Age) * time.Minute))
	pod := &corev1.Pod{
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name:      "app",
			Resources: corev1.ResourceRequirements{Requests: cpu(found.Request)},
		}}},
		Status: corev1.PodStatus{StartTime: &began},
	}
	// The defaults of the updater's flags.
	settings := priority.UpdateConfig{
		MinChangePriority:          0.1,
		PodLifetimeUpdateThreshold: 12 * time.Hour,
		EvictAfterOOMThreshold:     10 * time.Minute,
	}
	calculator := priority.NewUpdatePriorityCalculator(vpa, settings, uncapped{}, priority.NewProcessor())
	calculator.AddPod(pod, now, nil)
	return len(calculator.GetSortedPods(priority.NewDefaultPodEvictionAdmission())) > 0
}
