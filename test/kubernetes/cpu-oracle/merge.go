package main

import "k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"

type mergeQuestion struct {
	Policy    string
	NumaNodes []int
	Options   options
	Distances [][]uint64
	Providers []map[string][]hint
}

func merge(line []byte) (answer, error) {
	var asked mergeQuestion
	read(line, &asked)
	nodes := []numaNode{}
	for i, id := range asked.NumaNodes {
		node := numaNode{Id: id}
		if i < len(asked.Distances) {
			node.Distances = asked.Distances[i]
		}
		nodes = append(nodes, node)
	}
	manager, err := topologymanager.NewManager(
		machineOf(nodes).Topology, asked.Policy, topologymanager.ContainerTopologyScope, asked.Options.texts(),
	)
	if err != nil {
		return nil, err
	}
	providers := []map[string][]topologymanager.TopologyHint{}
	for _, provider := range asked.Providers {
		providers = append(providers, hintsByResource(provider))
	}
	merged, admit := manager.GetPolicy().Merge(quiet, providers)
	return answer{"hint": hintOf(merged), "admit": admit}, nil
}

func hintsByResource(provider map[string][]hint) map[string][]topologymanager.TopologyHint {
	if provider == nil {
		return nil
	}
	byResource := map[string][]topologymanager.TopologyHint{}
	for name, hints := range provider {
		byResource[name] = nil
		if hints == nil {
			continue
		}
		byResource[name] = []topologymanager.TopologyHint{}
		for _, one := range hints {
			byResource[name] = append(byResource[name], one.kubelets())
		}
	}
	return byResource
}
