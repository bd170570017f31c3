package main

import (
	"reflect"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/utils/cpuset"
)

type cpuQuestion struct {
	Topology  places
	Options   options
	Reserved  string
	Available string
	Reusable  string
	Request   int64
	Affinity  []int
}

func assign(line []byte) (answer, error) {
	manager, err := managerOf(line)
	if err != nil {
		return nil, err
	}
	if err := manager.policy.Allocate(quiet, manager.state, manager.pod, manager.container); err != nil {
		return nil, err
	}
	cpus, _ := manager.state.GetCPUSet(podUID, manager.container.Name)
	return answer{"cpus": cpus.String()}, nil
}

func giveHints(line []byte) (answer, error) {
	manager, err := managerOf(line)
	if err != nil {
		return nil, err
	}
	hints := manager.policy.GetTopologyHints(quiet, manager.state, manager.pod, manager.container)
	return answer{"hints": hintsOf(hints["cpu"])}, nil
}

// cpuManager has what it knows when the container of the pod comes.
type cpuManager struct {
	policy    cpumanager.Policy
	state     state.State
	pod       *v1.Pod
	container *v1.Container
}

func managerOf(line []byte) (*cpuManager, error) {
	var asked cpuQuestion
	read(line, &asked)
	reserved := cpusIn(asked.Reserved)
	merged := topologymanager.TopologyHint{NUMANodeAffinity: maskOf(asked.Affinity)}
	policy, err := cpumanager.NewStaticPolicy(
		quiet, asked.Topology.topology(), reserved.Size(), reserved,
		topologymanager.NewFakeManagerWithHint(&merged), asked.Options.texts(),
	)
	if err != nil {
		return nil, err
	}
	reusable(policy)[podUID] = cpusIn(asked.Reusable)
	given := state.NewMemoryState(quiet)
	given.SetDefaultCPUSet(cpusIn(asked.Available).Union(reserved))
	pod := guaranteed(asked.Request)
	return &cpuManager{policy, given, pod, &pod.Spec.Containers[0]}, nil
}

// reusable is a field that only the policy itself can reach.
func reusable(policy cpumanager.Policy) map[string]cpuset.CPUSet {
	field := reflect.ValueOf(policy).Elem().FieldByName("cpusToReuse")
	return *(*map[string]cpuset.CPUSet)(unsafe.Pointer(field.UnsafeAddr()))
}

const podUID = "pod"

func guaranteed(cpus int64) *v1.Pod {
	amounts := v1.ResourceList{
		v1.ResourceCPU:    *resource.NewQuantity(cpus, resource.DecimalSI),
		v1.ResourceMemory: resource.MustParse("1Gi"),
	}
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{UID: podUID, Name: podUID},
		Spec: v1.PodSpec{Containers: []v1.Container{{
			Name:      "app",
			Resources: v1.ResourceRequirements{Requests: amounts, Limits: amounts},
		}}},
		Status: v1.PodStatus{QOSClass: v1.PodQOSGuaranteed}, // also one that asks for no CPU
	}
}
