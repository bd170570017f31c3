package main

import (
	"sort"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	memorystate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

// A manager that is not given has its policy none.
type playQuestion struct {
	Topology        places
	NumaNodes       []numaNode
	TopologyManager struct {
		Policy, Scope string
		Options       options
	}
	CpuManager *struct {
		Options  options
		Reserved string
	}
	MemoryManager *struct {
		Reserved map[int]map[v1.ResourceName]uint64
	}
	Steps []step
}

// step is one of them: a pod comes, or by its UID its apps have started, or it has gone.
type step struct {
	Admit   *v1.Pod
	Start   string
	Release string
}

func play(line []byte) (answer, error) {
	var asked playQuestion
	read(line, &asked)
	machine := machineOf(asked.NumaNodes)
	setup := asked.TopologyManager
	manager, err := topologymanager.NewManager(machine.Topology, setup.Policy, setup.Scope, setup.Options.texts())
	if err != nil {
		return nil, err
	}
	node := &node{manager: manager, pods: map[string]*v1.Pod{}}
	if with := asked.CpuManager; with != nil {
		reserved := cpusIn(with.Reserved)
		node.cpu, err = cpumanager.NewStaticPolicy(quiet, asked.Topology.topology(), reserved.Size(), reserved, manager, with.Options.texts())
		if err != nil {
			return nil, err
		}
		node.cpus = cpustate.NewMemoryState(quiet)
		if err := node.cpu.Start(quiet, node.cpus); err != nil {
			return nil, err
		}
		manager.AddHintProvider(quiet, provider[cpustate.State]{node.cpu, node.cpus})
	}
	if with := asked.MemoryManager; with != nil {
		node.memory, err = memorymanager.NewPolicyStatic(quiet, machine, with.Reserved, manager)
		if err != nil {
			return nil, err
		}
		node.blocks = memorystate.NewMemoryState(quiet)
		if err := node.memory.Start(quiet, node.blocks); err != nil {
			return nil, err
		}
		manager.AddHintProvider(quiet, provider[memorystate.State]{node.memory, node.blocks})
	}
	steps := []answer{}
	for _, one := range asked.Steps {
		steps = append(steps, node.take(one))
	}
	return answer{"steps": steps}, nil
}

type node struct {
	manager topologymanager.Manager
	cpu     cpumanager.Policy
	cpus    cpustate.State
	memory  memorymanager.Policy
	blocks  memorystate.State
	pods    map[string]*v1.Pod
}

func (n *node) take(one step) answer {
	if one.Start != "" {
		for _, init := range n.pods[one.Start].Spec.InitContainers {
			isSidecar := init.RestartPolicy != nil && *init.RestartPolicy == v1.ContainerRestartPolicyAlways
			if n.memory != nil && !isSidecar {
				n.memory.RemoveContainer(quiet, n.blocks, one.Start, init.Name)
			}
		}
		return answer{"node": n.state()}
	}
	if one.Release != "" {
		n.release(n.pods[one.Release])
		return answer{"node": n.state()}
	}
	pod := one.Admit
	uid := string(pod.UID)
	n.pods[uid] = pod
	verdict := n.manager.Admit(&lifecycle.PodAdmitAttributes{Pod: pod})
	if !verdict.Admit {
		n.release(pod) // as the managers do with what no active pod has, before the next one
		return answer{"admitted": false, "reason": verdict.Reason, "message": verdict.Message, "node": n.state()}
	}
	containers := []answer{}
	for _, container := range containersOf(pod) {
		placed := answer{"name": container.Name, "hint": hintOf(n.manager.GetAffinity(uid, container.Name))}
		if n.cpu != nil {
			if cpus, ok := n.cpus.GetCPUSet(uid, container.Name); ok {
				placed["cpus"] = cpus.String()
			}
		}
		if n.memory != nil {
			placed["memory"] = blocksOf(n.blocks.GetMemoryBlocks(uid, container.Name))
		}
		containers = append(containers, placed)
	}
	return answer{"admitted": true, "containers": containers, "node": n.state()}
}

func (n *node) release(pod *v1.Pod) {
	for _, container := range containersOf(pod) {
		if n.cpu != nil {
			_ = n.cpu.RemoveContainer(quiet, n.cpus, string(pod.UID), container.Name)
		}
		if n.memory != nil {
			n.memory.RemoveContainer(quiet, n.blocks, string(pod.UID), container.Name)
		}
	}
}

func containersOf(pod *v1.Pod) []v1.Container {
	return append(append([]v1.Container{}, pod.Spec.InitContainers...), pod.Spec.Containers...)
}

type block struct {
	Resource v1.ResourceName `json:"resource"`
	Numa     []int           `json:"numa"`
	Bytes    uint64          `json:"bytes"`
}

// blocksOf orders them: the kubelet goes through a map.
func blocksOf(given []memorystate.Block) []block {
	blocks := []block{}
	for _, one := range given {
		blocks = append(blocks, block{one.Type, one.NUMAAffinity, one.Size})
	}
	sort.Slice(blocks, func(i, j int) bool { return blocks[i].Resource < blocks[j].Resource })
	return blocks
}

func (n *node) state() answer {
	seen := answer{}
	if n.cpu != nil {
		seen["shared"] = n.cpus.GetDefaultCPUSet().String()
	}
	if n.memory != nil {
		free := map[int]map[v1.ResourceName]int64{}
		for id, one := range n.blocks.GetMachineState() {
			free[id] = map[v1.ResourceName]int64{}
			for name, table := range one.MemoryMap {
				free[id][name] = int64(table.Free) // below 0 where the kubelet's subtraction wrapped around
			}
		}
		seen["free"] = free
	}
	return seen
}

// provider is a policy with what it has given away; the kubelet's own keeps that in files.
type provider[State any] struct {
	policy interface {
		GetTopologyHints(klog.Logger, State, *v1.Pod, *v1.Container) map[string][]topologymanager.TopologyHint
		GetPodTopologyHints(klog.Logger, State, *v1.Pod) map[string][]topologymanager.TopologyHint
		Allocate(klog.Logger, State, *v1.Pod, *v1.Container) error
		AllocatePod(klog.Logger, State, *v1.Pod) error
	}
	state State
}

func (p provider[State]) GetTopologyHints(pod *v1.Pod, container *v1.Container) map[string][]topologymanager.TopologyHint {
	return p.policy.GetTopologyHints(quiet, p.state, pod, container)
}

func (p provider[State]) GetPodTopologyHints(pod *v1.Pod) map[string][]topologymanager.TopologyHint {
	return p.policy.GetPodTopologyHints(quiet, p.state, pod)
}

func (p provider[State]) Allocate(pod *v1.Pod, container *v1.Container) error {
	return p.policy.Allocate(quiet, p.state, pod, container)
}

func (p provider[State]) AllocatePod(pod *v1.Pod) error {
	return p.policy.AllocatePod(quiet, p.state, pod)
}
