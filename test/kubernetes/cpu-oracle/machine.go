package main

import (
	"fmt"
	"strings"

	cadvisor "github.com/google/cadvisor/info/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/topology"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager/bitmask"
	"k8s.io/utils/cpuset"
)

type places struct {
	Cpus []struct{ Cpu, Core, Socket, Numa, Uncore int }
}

// options are texts in a kubelet's configuration.
type options map[string]any

func (given options) texts() map[string]string {
	texts := map[string]string{}
	for name, value := range given {
		texts[name] = fmt.Sprint(value)
	}
	return texts
}

func (given places) topology() *topology.CPUTopology {
	details := topology.CPUDetails{}
	for _, at := range given.Cpus {
		details[at.Cpu] = topology.CPUInfo{CoreID: at.Core, SocketID: at.Socket, NUMANodeID: at.Numa, UncoreCacheID: at.Uncore}
	}
	return &topology.CPUTopology{
		NumCPUs:        len(details),
		NumCores:       details.Cores().Size(),
		NumUncoreCache: details.UncoreCaches().Size(),
		NumSockets:     details.Sockets().Size(),
		NumNUMANodes:   details.NUMANodes().Size(),
		CPUDetails:     details,
	}
}

type numaNode struct {
	Id        int
	Distances []uint64
	Memory    map[string]uint64
}

func machineOf(nodes []numaNode) *cadvisor.MachineInfo {
	machine := &cadvisor.MachineInfo{}
	for _, node := range nodes {
		described := cadvisor.Node{Id: node.Id, Distances: node.Distances, Memory: node.Memory["memory"]}
		for name, size := range node.Memory {
			page, isHuge := strings.CutPrefix(name, "hugepages-")
			if !isHuge {
				continue
			}
			bytes := resource.MustParse(page)
			pageSize := uint64(bytes.Value())
			described.HugePages = append(described.HugePages, cadvisor.HugePagesInfo{
				PageSize: pageSize / 1024,
				NumPages: size / pageSize,
			})
		}
		machine.Topology = append(machine.Topology, described)
	}
	return machine
}

func cpusIn(text string) cpuset.CPUSet {
	cpus, err := cpuset.Parse(text)
	if err != nil {
		panic(err)
	}
	return cpus
}

// hint has no affinity where any node will do.
type hint struct {
	Affinity  []int `json:"affinity"`
	Preferred bool  `json:"preferred"`
}

func (given hint) kubelets() topologymanager.TopologyHint {
	return topologymanager.TopologyHint{NUMANodeAffinity: maskOf(given.Affinity), Preferred: given.Preferred}
}

func maskOf(nodes []int) bitmask.BitMask {
	if nodes == nil {
		return nil
	}
	mask, err := bitmask.NewBitMask(nodes...)
	if err != nil {
		panic(err)
	}
	return mask
}

func hintOf(given topologymanager.TopologyHint) hint {
	if given.NUMANodeAffinity == nil {
		return hint{Preferred: given.Preferred}
	}
	return hint{Affinity: append([]int{}, given.NUMANodeAffinity.GetBits()...), Preferred: given.Preferred}
}

func hintsOf(given []topologymanager.TopologyHint) []hint {
	if given == nil {
		return nil
	}
	hints := []hint{}
	for _, one := range given {
		hints = append(hints, hintOf(one))
	}
	return hints
}
