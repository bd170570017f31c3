// Answers, for each question on standard input, what the kubelet's own CPU, Memory and Topology
// Managers do. One question and one answer a line; "op" says which:
//
//	assign   which CPUs a container gets                     {"cpus": "2-5"} or {"error": text}
//	hints    where the CPU Manager could place one           {"hints": [{"affinity": [0], "preferred": true}]}
//	merge    what the Topology Manager makes of hints        {"hint": {...}, "admit": true}
//	play     pods come, start and go on a node               {"steps": [...]}, see play.go
//
// What makes the kubelet panic, and what is no question, is answered with {"panic": text}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/go-logr/logr"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
)

type answer map[string]any

var quiet = logr.Discard()

var ops = map[string]func([]byte) (answer, error){
	"assign": assign,
	"hints":  giveHints,
	"merge":  merge,
	"play":   play,
}

func main() {
	klog.SetLoggerWithOptions(quiet, klog.ContextualLogger(true))
	if err := utilfeature.DefaultMutableFeatureGate.Set("CPUManagerPolicyAlphaOptions=true"); err != nil {
		log.Fatal(err)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		if err := encoder.Encode(judge(lines.Bytes())); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func judge(line []byte) (judged answer) {
	defer func() {
		if reason := recover(); reason != nil {
			judged = answer{"panic": fmt.Sprint(reason)}
		}
	}()
	var asked struct{ Op string }
	read(line, &asked)
	op, ok := ops[asked.Op]
	if !ok {
		panic(fmt.Sprintf("expected op to be assign, hints, merge or play, got %q", asked.Op))
	}
	judged, err := op(line)
	if err != nil {
		return answer{"error": err.Error()}
	}
	return judged
}

func read(line []byte, into any) {
	if err := json.Unmarshal(line, into); err != nil {
		panic(err)
	}
}
