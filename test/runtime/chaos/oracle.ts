import type { Kind } from 'setpoint'
import { Secret } from 'setpoint/kinds'
import type { ChaosWorld } from './chaos-world.ts'
import {
  App,
  configOf,
  definitions,
  far,
  managed,
  partsOf,
  readyAnnotation,
  Report,
  Tenant,
  Ticket,
} from './operators.ts'
import { type AnyObject, childKinds } from './users.ts'

/** A desired child: its kind and key, with the fields to compare. */
interface Expected {
  readonly owner: AnyObject
  readonly data?: Readonly<Record<string, string>>
  readonly check?: (object: AnyObject) => string | undefined
}

const childAnnotation = 'setpoint.dev/child'
const ownerAnnotation = 'setpoint.dev/owner'
const ownerLabel = 'setpoint.dev/owner-uid'

/** All differences from the desired state, as texts. */
export async function judged(world: ChaosWorld): Promise<string[]> {
  const all = new Map<Kind, AnyObject[]>()
  for (const kind of [...definitions, ...childKinds]) {
    all.set(kind, (await world.client.listAll(kind)) as unknown as AnyObject[])
  }
  const oracle = new Oracle(world, all)
  return oracle.judged()
}

class Oracle {
  readonly #world: ChaosWorld
  readonly #all: ReadonlyMap<Kind, readonly AnyObject[]>
  readonly #wrong: string[] = []

  constructor(world: ChaosWorld, all: ReadonlyMap<Kind, readonly AnyObject[]>) {
    this.#world = world
    this.#all = all
  }

  judged(): string[] {
    for (const owner of this.#owners()) this.#judgeOwner(owner)
    this.#judgeChildren()
    this.#judgeOutside()
    for (const { name, running, reports } of this.#world.replicas) {
      for (const { failing, name: of } of running?.activity() ?? []) {
        for (const key of failing.keys()) {
          const last = reports.findLast(
            ({ run, controller }) => run.key === key && controller === of,
          )
          this.#say(`${name}: ${of} ${key} is failing: ${String(last?.error)}`)
        }
      }
    }
    return [...this.#world.journal.violations, ...this.#wrong]
  }

  #say(text: string): void {
    this.#wrong.push(text)
  }

  #of(kind: Kind): readonly AnyObject[] {
    return this.#all.get(kind) ?? []
  }

  #owners(): AnyObject[] {
    return definitions.flatMap((kind) => this.#of(kind))
  }

  #judgeOwner(owner: AnyObject): void {
    const { kind, metadata, status, spec = {} } = owner
    const { name, deletionTimestamp, finalizers = [], annotations = {} } = metadata
    if (deletionTimestamp !== undefined)
      this.#say(`${name} is still being deleted: ${finalizers.join()}`)
    const isManaged = kind !== Ticket.kind || metadata.labels?.['managed'] === managed.managed
    const wanted = { App: 0, Tenant: 2, Report: 1, Ticket: isManaged ? 1 : 0 }[kind] ?? 0
    if (finalizers.length !== wanted) this.#say(`${name} has finalizers ${finalizers.join()}`)
    if (!isManaged) return
    this.#judgeConditions(owner)
    if (kind === App.kind) {
      this.#same(`${name}.status.replicas`, status?.['replicas'], spec['replicas'])
      this.#same(`${name}.status.shards`, status?.['shards'], spec['shards'])
    }
    if (kind === Tenant.kind) this.#same(`${name}.status.seen`, status?.['seen'], spec['text'])
    if (kind === Report.kind) {
      this.#same(`${name}.status.made`, status?.['made'], spec['count'])
      this.#same(`${name}.status.source`, status?.['source'], this.#sourceOf(owner))
    }
    if (kind === Ticket.kind) {
      this.#same(`${name} handled size`, this.#world.journal.sizes.get(metadata.uid), spec['size'])
      if (status?.['created'] === undefined) this.#say(`${name} has no result of its creation`)
      const sized = status?.['sized'] as { size: number } | undefined
      if (sized !== undefined) this.#same(`${name}.status.sized`, sized.size, spec['size'])
      const memories = Object.entries(annotations).filter(([, text]) => text.includes('"progress"'))
      for (const [key, text] of memories) {
        if (!text.includes('"progress":{}')) this.#say(`${name} has work left: ${key} ${text}`)
      }
    }
  }

  #judgeConditions({ metadata, status }: AnyObject): void {
    const conditions = (status?.['conditions'] ?? []) as readonly Record<string, unknown>[]
    const ready = conditions.find(({ type }) => type === 'Ready')
    const { name, generation } = metadata
    if (ready === undefined) this.#say(`${name} has no Ready`)
    else {
      this.#same(`${name} Ready (${String(ready['message'])})`, ready['status'], 'True')
      this.#same(`${name} Ready.observedGeneration`, ready['observedGeneration'], generation)
    }
  }

  #same(what: string, is: unknown, wanted: unknown): void {
    if (is !== wanted) this.#say(`${what} is ${String(is)} instead of ${String(wanted)}`)
  }

  #sourceOf({ spec }: AnyObject): string {
    const source = this.#of(Secret).find(({ metadata }) => metadata.name === spec?.['source'])
    return source?.data?.['text'] ?? 'none'
  }

  #judgeChildren(): void {
    const expected = new Map<string, Expected>()
    for (const owner of this.#owners()) {
      for (const [key, one] of this.#childrenOf(owner)) expected.set(key, { ...one, owner })
    }
    const uids = new Set(this.#owners().map(({ metadata }) => metadata.uid))
    const seen = new Set<string>()
    for (const kind of childKinds) {
      for (const object of this.#of(kind)) {
        const { namespace = '', name, deletionTimestamp } = object.metadata
        const key = `${kind.kind} ${namespace}/${name}`
        const wanted = expected.get(key)
        if (wanted === undefined) {
          this.#judgeUnwanted(key, object, uids)
          continue
        }
        seen.add(key)
        if (deletionTimestamp !== undefined) this.#say(`${key} is being deleted`)
        this.#judgeChild(key, object, wanted)
      }
    }
    for (const [key, { owner }] of expected) {
      if (!seen.has(key)) this.#say(`${key} of ${owner.metadata.name} is missing`)
    }
  }

  #judgeUnwanted(key: string, object: AnyObject, uids: ReadonlySet<string>): void {
    const { ownerReferences = [], annotations = {}, labels = {}, uid } = object.metadata
    const { stripped, unfinalized } = this.#world.users
    const isOwned = ownerReferences.some(({ kind }) => definitions.some((one) => one.kind === kind))
    const isMarked = annotations[ownerAnnotation] !== undefined
    if (!isOwned && !isMarked && annotations[childAnnotation] === undefined) return
    const isAlive = ownerReferences.some((one) => uids.has(one.uid))
    // Without its owner labels an operator cannot find it when its owner is deleted.
    if (stripped.has(uid) || unfinalized.has(labels[ownerLabel] ?? '')) return
    this.#say(`${key} should not exist (${isAlive ? 'its owner exists' : 'its owner was deleted'})`)
  }

  #judgeChild(key: string, object: AnyObject, { owner, data, check }: Expected): void {
    const { ownerReferences = [], annotations = {}, labels = {}, namespace } = object.metadata
    const isHome = namespace === owner.metadata.namespace
    const owners = ownerReferences.map(({ uid }) => uid)
    if (isHome && (owners.length !== 1 || owners[0] !== owner.metadata.uid)) {
      this.#say(`${key} belongs to ${owners.join()} instead of ${owner.metadata.uid}`)
    }
    if (!isHome) {
      this.#same(`${key} label`, labels[ownerLabel], owner.metadata.uid)
      if (annotations[ownerAnnotation] === undefined) this.#say(`${key} has no owner annotation`)
    }
    for (const [field, value] of Object.entries(data ?? {})) {
      this.#same(`${key} ${field}`, object.data?.[field], value)
    }
    for (const field of Object.keys(data === undefined ? {} : (object.data ?? {}))) {
      const isForeign = this.#world.users.touched.has(
        `${object.kind} ${object.metadata.name} ${field}`,
      )
      if (data?.[field] === undefined && !isForeign)
        this.#say(`${key} has ${field}, which is not desired`)
    }
    const problem = check?.(object)
    if (problem !== undefined) this.#say(`${key}: ${problem}`)
  }

  #childrenOf(owner: AnyObject): Map<string, Omit<Expected, 'owner'>> {
    const { kind, metadata } = owner
    const { name } = metadata
    const spec = owner.spec ?? {}
    if (kind === App.kind) return appChildren(name, spec as never)
    const children = new Map<string, Omit<Expected, 'owner'>>()
    const text = String(spec['text'])
    if (kind === Tenant.kind) {
      children.set(`ConfigMap ${far}/copy-${name}`, { data: { text } })
      if (spec['hasRole'] === true) {
        const check = (object: AnyObject): string | undefined =>
          JSON.stringify(object).includes('"pods"') ? undefined : 'it has no rule'
        children.set(`ClusterRole /default-${name}`, { check })
      }
      children.set(`Secret default/${name}`, { data: { text: btoa(text) } })
      children.set(`ConfigMap default/${name}-audit`, { data: { audited: text } })
    }
    if (kind === Report.kind) {
      const parts = partsOf(name, { count: Number(spec['count']) }, this.#sourceOf(owner))
      for (const [part, value] of parts)
        children.set(`ConfigMap default/${part}`, { data: { value } })
    }
    return children
  }

  #judgeOutside(): void {
    const { journal, users } = this.#world
    const wanted = new Map<string, AnyObject>()
    for (const owner of this.#owners()) {
      if (owner.kind === Tenant.kind) wanted.set(`audit ${owner.metadata.uid}`, owner)
      if (owner.kind === Report.kind) wanted.set(owner.metadata.uid, owner)
    }
    for (const [key, owner] of wanted) {
      if (!journal.outside.has(key)) this.#say(`${owner.metadata.name} has nothing outside`)
    }
    const tickets = new Set(this.#of(Ticket).map(({ metadata }) => metadata.uid))
    for (const [key, text] of journal.outside) {
      const uid = key.replace('audit ', '')
      if (wanted.has(key) || tickets.has(uid) || users.unfinalized.has(uid)) continue
      if (users.unmanaged.has(uid)) continue
      this.#say(`${key} (${text}) was left outside`)
    }
  }
}

interface AppSpec {
  readonly text: string
  readonly keys: readonly string[]
  readonly replicas: number
  readonly hasSecret: boolean
  readonly shards: number
  readonly rev: string
}

function appChildren(name: string, spec: AppSpec): Map<string, Omit<Expected, 'owner'>> {
  const children = new Map<string, Omit<Expected, 'owner'>>()
  const here = (kind: string, suffix: string): string => `${kind} default/${name}${suffix}`
  children.set(here('ConfigMap', ''), { data: configOf(spec) })
  if (spec.hasSecret) children.set(here('Secret', ''), { data: { text: btoa(spec.text) } })
  const password = ({ data }: AnyObject): string | undefined =>
    data?.['password'] === undefined ? 'it has no password' : undefined
  children.set(here('Secret', '-password'), { check: password })
  children.set(here('Secret', '-pinned'), { data: { text: btoa(spec.text) } })
  const deployment = (object: AnyObject): string | undefined => {
    const text = JSON.stringify(object.spec)
    if (object.spec?.['replicas'] !== spec.replicas) return `replicas in ${text}`
    return text.includes(`"web:${spec.rev}"`) ? undefined : `image in ${text}`
  }
  children.set(here('Deployment', ''), { check: deployment })
  const service = (object: AnyObject): string | undefined => {
    const ports = object.spec?.['ports'] as readonly { port: number }[]
    return ports.length === 1 && ports[0]?.port === 80 + spec.shards
      ? undefined
      : `ports ${JSON.stringify(ports)}`
  }
  children.set(here('Service', ''), { check: service })
  const isReady = ({ metadata }: AnyObject): string | undefined =>
    metadata.annotations?.[readyAnnotation] === spec.rev ? undefined : 'it is not ready'
  for (let index = 0; index < spec.shards; index += 1) {
    children.set(here('ConfigMap', `-shard-${index}`), { data: { rev: spec.rev }, check: isReady })
  }
  return children
}
