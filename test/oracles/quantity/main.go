// Answers, for each quantity text on standard input, what Kubernetes' own parser makes of it.
//
//	in:  one JSON string a line
//	out: [text, false] where it is refused, otherwise
//	     [text, true, MilliValue, Value, canonical text, format], and String() last if it differs:
//	     ParseQuantity keeps some texts as they were written, such as "+5" and "1.500"
//
// With -generate N -seed S it prints N texts to ask about instead.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

func main() {
	count := flag.Int("generate", 0, "print this many texts")
	seed := flag.Uint64("seed", 1, "seed of the generated texts")
	flag.Parse()

	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	print := func(line any) {
		if err := encoder.Encode(line); err != nil {
			log.Fatal(err)
		}
	}

	if *count > 0 {
		for _, text := range generate(*count, *seed) {
			print(text)
		}
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			log.Fatal(fmt.Errorf("reading %q: %w", lines.Text(), err))
		}
		print(answer(text))
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func answer(text string) []any {
	quantity, err := resource.ParseQuantity(text)
	if err != nil {
		return []any{text, false}
	}
	milli := strconv.FormatInt(quantity.MilliValue(), 10)
	value := strconv.FormatInt(quantity.Value(), 10)
	number, suffix := quantity.CanonicalizeBytes(nil)
	canonical := string(number) + string(suffix)
	row := []any{text, true, milli, value, canonical, quantity.Format}
	if kept := quantity.String(); kept != canonical {
		row = append(row, kept)
	}
	return row
}
