import type { Service } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import type { Counter } from './counter.ts'
import { quantitiesOf } from './quantities.ts'

const names = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers']

function typeOf(object: JsonObject): string {
  const { spec } = object as unknown as Partial<Service>
  return spec?.type === 'NodePort' || spec?.type === 'LoadBalancer' ? spec.type : ''
}

/** Services count by their number, their node ports and their load balancers. */
export const serviceCounter: Counter = {
  counts: ({ operation, subresource }) => operation !== 'DELETE' && subresource === '',
  isAbout: (name) => names.includes(name),
  frees: (old, object) => typeOf(old) !== typeOf(object),
  usage(object) {
    const { spec } = object as unknown as Partial<Service>
    const { type, ports = [], allocateLoadBalancerNodePorts } = spec ?? {}
    const isBalanced = type === 'LoadBalancer'
    const own = ports.filter(({ nodePort = 0 }) => nodePort !== 0)
    const allocated = isBalanced && allocateLoadBalancerNodePorts === false ? own : ports
    const onNodes = isBalanced || type === 'NodePort' ? allocated.length : 0
    return quantitiesOf({
      'count/services': '1',
      services: '1',
      'services.loadbalancers': isBalanced ? '1' : '0',
      'services.nodeports': String(onNodes),
    })
  },
}
