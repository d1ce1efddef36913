import * as z from 'zod'
import { type AnyOperator, defineResource, operator, RetryLaterError, when } from 'setpoint'
import { ClusterRole, ConfigMap, Deployment, Secret, Service } from 'setpoint/kinds'
import type { ChaosHost } from './chaos-host.ts'
import type { Journal } from './journal.ts'

const group = 'chaos.example.com'

/** Has all kinds of children in its own namespace. */
export const App = defineResource({
  group,
  version: 'v1',
  kind: 'App',
  spec: z.object({
    text: z.string(),
    keys: z.array(z.string()).default([]),
    replicas: z.int32().min(0).default(1),
    hasSecret: z.boolean().default(false),
    shards: z.int32().min(0).default(0),
    rev: z.string().default('1'),
  }),
  status: z.object({ replicas: z.int32().optional(), shards: z.int32().optional() }),
  conditions: ['Ready'],
})

/** Has children in other namespaces. */
export const Tenant = defineResource({
  group,
  version: 'v1',
  kind: 'Tenant',
  spec: z.object({ text: z.string(), hasRole: z.boolean().default(true) }),
  status: z.object({ seen: z.string().optional() }),
  conditions: ['Ready'],
})

/** Is reconciled by a function, from sources that it watches. */
export const Report = defineResource({
  group,
  version: 'v1',
  kind: 'Report',
  spec: z.object({ source: z.string(), count: z.int32().min(0) }),
  status: z.object({ made: z.int32().optional(), source: z.string().optional() }),
  conditions: ['Ready'],
})

/** Has handlers. */
export const Ticket = defineResource({
  group,
  version: 'v1',
  kind: 'Ticket',
  spec: z.object({ size: z.int32(), text: z.string() }),
  status: z.object({
    created: z.object({ size: z.int32() }).optional(),
    sized: z.object({ size: z.int32() }).optional(),
  }),
  conditions: ['Ready'],
})

/** The definitions of all operators. */
export const definitions = [App, Tenant, Report, Ticket] as const

/** The namespaces of the children of tenants. */
export const otherNamespace = 'other'

/** The selector of the served tickets. */
export const managed = { managed: 'yes' }

/** The annotation of a shard whose content was observed by the controller that makes it ready. */
export const readyAnnotation = 'chaos/ready'

/** The operators of one process. */
export function operatorsOf(process: ChaosHost, journal: Journal): AnyOperator[] {
  return [
    apps(),
    tenants(),
    auditors(process, journal),
    reports(process, journal),
    tickets(process, journal),
  ]
}

/** The desired data of an app's config. */
export function configOf({ text, keys }: { text: string; keys: readonly string[] }) {
  return { text, ...Object.fromEntries(keys.map((key) => [`key-${key}`, text])) }
}

function apps() {
  return operator(App)
    .child('config', ConfigMap, ({ spec }) => ({ data: configOf(spec) }))
    .child(
      'secret',
      Secret,
      { after: ['config'], includeWhen: ({ spec }) => spec.hasSecret },
      ({ spec }) => ({ stringData: { text: spec.text } }),
    )
    .child('password', Secret, { createOnly: true }, (_, context) => ({
      data: { password: btoa(String(context.randomBytes(4))) },
    }))
    .child('pinned', Secret, { onImmutable: 'replace' }, ({ spec }) => ({
      immutable: true,
      data: { text: btoa(spec.text) },
    }))
    .child(
      'deployment',
      Deployment,
      { after: ['config'] },
      ({ metadata: { name: app }, spec }) => ({
        spec: {
          replicas: spec.replicas,
          selector: { matchLabels: { app } },
          template: {
            metadata: { labels: { app } },
            spec: { containers: [{ name: 'main', image: `web:${spec.rev}` }] },
          },
        },
      }),
    )
    .child('service', Service, { after: ['deployment'] }, ({ metadata: { name: app }, spec }) => ({
      spec: { selector: { app }, ports: [{ port: 80 + spec.shards }] },
    }))
    .children(
      'shard',
      ConfigMap,
      {
        rollout: { maxUnavailable: 1 },
        readyWhen: ({ metadata, data }) =>
          metadata.annotations?.[readyAnnotation] === data?.['rev'],
      },
      ({ spec }) =>
        Object.fromEntries(
          Array.from({ length: spec.shards }, (_, index) => [
            String(index),
            { metadata: { labels: { shard: 'yes' } }, data: { rev: spec.rev } },
          ]),
        ),
    )
    .status(({ spec }, { deployment }) => ({
      replicas: deployment?.status?.availableReplicas ?? 0,
      shards: spec.shards,
    }))
}

function tenants() {
  return operator(Tenant)
    .child('copy', ConfigMap, { crossNamespace: true }, ({ metadata, spec }) => ({
      metadata: { namespace: otherNamespace, name: `copy-${metadata.name}` },
      data: { text: spec.text },
    }))
    .child('role', ClusterRole, { includeWhen: ({ spec }) => spec.hasRole }, () => ({
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    }))
    .child('slow', Secret, { deletion: 'foreground' }, ({ spec }) => ({
      stringData: { text: spec.text },
    }))
    .status(({ spec }, { copy, role }) => ({
      seen: copy?.data?.['text'],
      conditions: {
        Ready: when(
          copy?.data?.['text'] === spec.text && (role !== undefined) === spec.hasRole,
          'Copied',
          'the copy exists',
        ),
      },
    }))
}

/** A second operator of tenants, with a child and a cleanup of its own. */
function auditors(process: ChaosHost, journal: Journal) {
  return operator(Tenant, { name: 'auditors' })
    .child('audit', ConfigMap, ({ metadata, spec }) => ({
      metadata: { name: `${metadata.name}-audit` },
      data: { audited: spec.text },
    }))
    .reconcile(async ({ metadata, spec }, { signal }) => {
      const key = `auditors ${metadata.name}`
      await journal.call(process, { key, what: 'reconcile', signal }, async () => {
        journal.externalObjects.set(`audit ${metadata.uid}`, spec.text)
      })
    })
    .onDelete(async ({ metadata }, { signal }) => {
      const key = `auditors ${metadata.name}`
      await journal.call(process, { key, what: 'onDelete', signal }, async () => {
        journal.externalObjects.delete(`audit ${metadata.uid}`)
      })
    })
}

/** The desired children of a report, by the text of its source. */
export function partsOf(
  name: string,
  spec: { readonly count: number },
  text: string,
): Map<string, string> {
  return new Map(
    Array.from({ length: spec.count }, (_, index) => [`${name}-part-${index}`, `${index} ${text}`]),
  )
}

function reports(process: ChaosHost, journal: Journal) {
  return operator(Report)
    .owns(ConfigMap)
    .watch(Secret, ({ metadata }, view) =>
      view
        .list(Report, metadata.namespace)
        .filter(({ spec }) => spec.source === metadata.name)
        .map((report) => `${report.metadata.namespace}/${report.metadata.name}`),
    )
    .reconcile(async ({ metadata, spec }, context) => {
      const { signal } = context
      const call = { key: `reports ${metadata.name}`, what: 'reconcile', signal }
      return journal.call(process, call, async () => {
        journal.externalObjects.set(metadata.uid, spec.source)
        const text = context.get(Secret, spec.source)?.data?.['text']
        if (text === undefined) {
          // Half of the time the source is watched.
          if (journal.isChaos && journal.random.below(2) === 0) {
            throw new RetryLaterError('no source yet', { after: '20s' })
          }
        }
        const parts = partsOf(metadata.name, spec, text ?? 'none')
        for (const [name, value] of parts) {
          await context.apply(ConfigMap, { metadata: { name }, data: { value } })
        }
        for (const one of context.owned(ConfigMap)) {
          if (!parts.has(one.metadata.name)) await context.delete(ConfigMap, one)
        }
        await context.updateStatus({ made: parts.size, source: text ?? 'none' })
        return journal.isChaos && journal.random.below(4) === 0
          ? { recheckAfter: '15s' as const }
          : undefined
      })
    })
    .onDelete(async ({ metadata }, { signal }) => {
      const call = { key: `reports ${metadata.name}`, what: 'onDelete', signal }
      await journal.call(
        process,
        call,
        async () => void journal.externalObjects.delete(metadata.uid),
      )
    })
}

function tickets(process: ChaosHost, journal: Journal) {
  const retry = { backoff: '5s' } as const
  return operator(Ticket, { labelSelector: managed })
    .onCreate(
      async ({ metadata, spec }, { signal }) => {
        const call = { key: `tickets ${metadata.name}`, what: 'onCreate', signal }
        return journal.call(process, call, async () => {
          journal.externalObjects.set(metadata.uid, metadata.name)
          journal.sizes.set(metadata.uid, spec.size)
          return { size: spec.size }
        })
      },
      { id: 'created', ...retry },
    )
    .onField(
      'spec.size',
      async ({ metadata }, { signal, new: size }) => {
        const call = { key: `tickets ${metadata.name}`, what: 'onField', signal }
        return journal.call(process, call, async () => {
          journal.sizes.set(metadata.uid, size ?? 0)
          return { size: size ?? 0 }
        })
      },
      { id: 'sized', ...retry },
    )
    .onUpdate(
      async ({ metadata }, { signal }) => {
        const call = { key: `tickets ${metadata.name}`, what: 'onUpdate', signal }
        await journal.call(process, call, async () => undefined)
      },
      { id: 'updated', ...retry },
    )
    .onResume(
      async ({ metadata }, { signal }) => {
        const call = { key: `tickets ${metadata.name}`, what: 'onResume', signal }
        await journal.call(process, call, async () => undefined)
      },
      { id: 'resumed', ...retry },
    )
    .every('7m', async ({ metadata }, { signal }) => {
      const call = { key: `tickets every ${metadata.name}`, what: 'every', signal }
      await journal.call(process, call, async () => undefined)
    })
    .onDelete(
      async ({ metadata }, { signal }) => {
        const call = { key: `tickets ${metadata.name}`, what: 'onDelete', signal }
        await journal.call(
          process,
          call,
          async () => void journal.externalObjects.delete(metadata.uid),
        )
      },
      { backoff: '5s' },
    )
}
