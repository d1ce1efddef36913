import { expect, test } from 'vitest'
import { listTypesOf } from '../kinds/list-types-of.ts'
import { Deployment, Service } from '../kinds/index.ts'
import { missingFrom } from './missing-from.ts'

const deployment = listTypesOf(Deployment)
const service = listTypesOf(Service)

const container = {
  name: 'web',
  image: 'nginx',
  ports: [{ containerPort: 80 }],
  resources: { requests: { cpu: '1000m', memory: '0.5Gi' } },
}
const wanted = {
  spec: { replicas: 2, template: { spec: { containers: [container], hostNetwork: false } } },
}
const live = {
  metadata: { annotations: { foreign: 'x' } },
  spec: {
    replicas: 2,
    revisionHistoryLimit: 10,
    template: {
      spec: {
        containers: [
          { name: 'injected', image: 'proxy' },
          {
            ...container,
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            resources: { requests: { cpu: '1', memory: '512Mi' } },
            imagePullPolicy: 'Always',
          },
        ],
      },
    },
  },
}

test('what the server and others added is not missing', () => {
  expect(missingFrom(live, wanted, deployment)).toBeUndefined()
})

test('what was changed or removed is, and is named', () => {
  const changed = (change: object): object => ({ spec: { ...live.spec, ...change } })
  expect(missingFrom(changed({ replicas: 3 }), wanted, deployment)).toBe('spec.replicas')
  expect(missingFrom(changed({ template: {} }), wanted, deployment)).toBe('spec.template.spec')
  const other = { spec: { containers: [{ ...container, image: 'other' }] } }
  expect(missingFrom(changed({ template: other }), wanted, deployment)).toBe(
    'spec.template.spec.containers[name=web].image',
  )
  expect(missingFrom(undefined, wanted, deployment)).toBe('')
})

test('a service whose port was replaced lacks its own', () => {
  const ports = (port: number) => ({
    spec: { ports: [{ port, protocol: 'TCP', targetPort: port }] },
  })
  const mine = { spec: { ports: [{ port: 80 }] } }
  expect(missingFrom(ports(80), mine, service)).toBeUndefined()
  expect(missingFrom(ports(9090), mine, service)).toBe('spec.ports[port=80,protocol=TCP]')
})

test('lists that do not merge must be equal, but for what is filled into their items', () => {
  const list = (items: unknown[]) => ({ spec: { items } })
  expect(missingFrom(list([{ a: 1, b: 2 }]), list([{ a: 1 }]), undefined)).toBeUndefined()
  expect(missingFrom(list([{ a: 1 }, { a: 2 }]), list([{ a: 1 }]), undefined)).toBe('spec.items')
  expect(missingFrom({ spec: {} }, list([]), undefined)).toBeUndefined()
})

test('text that looks like an amount is an amount only where amounts are', () => {
  const env = (value: string) => ({ metadata: { annotations: { version: value } } })
  expect(missingFrom(env('1.0'), env('1'), deployment)).toBe('metadata.annotations.version')
})
