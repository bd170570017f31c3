// Answers, for each question about pods on standard input, what Kubernetes' own API server does.
//
//	in:  {"op": "create", "pod": v1 Pod} or
//	     {"op": "update" | "status" | "resize", "pod": v1 Pod, "old": v1 Pod}, one a line;
//	     with "op": "validate-resize" the pod is judged as it is, without dropping what a resize ignores
//	out: {"errors": [[field, text]], "qos": class, "pod": the v1 Pod as it would be stored,
//	      "requests": what the scheduler counts it as, "limits": likewise}
//
// Both pods are given the defaults of v1 first. An old pod is taken as stored: it keeps its status.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/helper/qos"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/capabilities"
	"k8s.io/kubernetes/pkg/registry/core/pod"
)

type question struct {
	Op  string  `json:"op"`
	Pod *v1.Pod `json:"pod"`
	Old *v1.Pod `json:"old"`
}

type answer struct {
	Errors   [][2]string     `json:"errors"`
	QOS      string          `json:"qos"`
	Pod      *v1.Pod         `json:"pod"`
	Requests v1.ResourceList `json:"requests"`
	Limits   v1.ResourceList `json:"limits"`
}

// As the scheduler of 1.36 counts.
var counting = resource.PodResourcesOptions{
	UseStatusResources: true,
	InPlacePodLevelResourcesVerticalScalingEnabled: true,
}

type updateStrategy interface {
	PrepareForUpdate(context.Context, runtime.Object, runtime.Object)
	ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList
}

var updates = map[string]updateStrategy{
	"update": pod.Strategy,
	"status": pod.StatusStrategy,
	"resize": pod.ResizeStrategy,
}

func main() {
	capabilities.Setup(true, 0) // as the real cluster of the tests
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			log.Fatal(fmt.Errorf("reading %q: %w", lines.Text(), err))
		}
		if err := encoder.Encode(judge(asked)); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func judge(asked question) answer {
	ctx := context.Background()
	next := internal(asked.Pod)
	var errors field.ErrorList
	switch asked.Op {
	case "create":
		pod.Strategy.PrepareForCreate(ctx, next)
		errors = pod.Strategy.Validate(ctx, next)
	case "validate-resize":
		old := internal(asked.Old)
		options := podutil.GetValidationOptionsFromPodSpecAndMeta(&next.Spec, &old.Spec, &next.ObjectMeta, &old.ObjectMeta)
		options.ResourceIsPod = true
		errors = validation.ValidatePodResize(next, old, options)
	default:
		old := internal(asked.Old)
		strategy := updates[asked.Op]
		strategy.PrepareForUpdate(ctx, next, old)
		errors = strategy.ValidateUpdate(ctx, next, old)
	}
	found := [][2]string{}
	for _, one := range errors {
		found = append(found, [2]string{one.Field, one.ErrorBody()})
	}
	stored := external(next)
	return answer{
		Errors:   found,
		QOS:      string(qos.ComputePodQOS(next)),
		Pod:      stored,
		Requests: resource.PodRequests(stored.DeepCopy(), counting), // it adds overhead to what it is given
		Limits:   resource.PodLimits(stored.DeepCopy(), counting),
	}
}

func internal(from *v1.Pod) *api.Pod {
	legacyscheme.Scheme.Default(from)
	to := &api.Pod{}
	if err := legacyscheme.Scheme.Convert(from, to, nil); err != nil {
		log.Fatal(err)
	}
	return to
}

func external(from *api.Pod) *v1.Pod {
	to := &v1.Pod{}
	if err := legacyscheme.Scheme.Convert(from, to, nil); err != nil {
		log.Fatal(err)
	}
	return to
}
