import type { JsonObject } from 'setpoint/schema'
import { metadataOf } from '../../object/index.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { isAbout, type Plugin } from '../plugin.ts'

const topology = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']

/** The topology labels that a node gives to its pods; bindings copy them too. */
export function topologyLabelsOf(node: JsonObject | undefined): Readonly<Record<string, string>> {
  const { labels = {} } = node === undefined ? {} : metadataOf(node)
  return Object.fromEntries(Object.entries(labels).filter(([name]) => topology.includes(name)))
}

/** A pod that is created with a node name gets the topology labels of the node. */
export function podTopologyLabels(cluster: ClusterReader): Plugin {
  return {
    name: 'PodTopologyLabels',
    mutate(attributes) {
      const { operation, object } = attributes
      if (operation !== 'CREATE' || !isAbout(attributes, '', 'pods')) return
      const { nodeName = '' } = (object['spec'] ?? {}) as { nodeName?: string }
      const labels = topologyLabelsOf(cluster.get('/nodes', nodeName))
      if (Object.keys(labels).length === 0) return
      const metadata = metadataOf(object)
      metadata.labels = { ...metadata.labels, ...labels }
    },
  }
}
