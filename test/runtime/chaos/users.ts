import type { Kind } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import type { Host, SeededRandom } from 'setpoint/host'
import { ClusterRole, ConfigMap, Deployment, Secret, Service } from 'setpoint/kinds'
import { App, definitions, managed, Report, Tenant, Ticket } from './operators.ts'

/** An object of any kind. */
export interface AnyObject {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly generation?: number
    readonly resourceVersion: string
    readonly deletionTimestamp?: string
    readonly finalizers?: readonly string[]
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly { kind: string; name: string; uid: string }[]
  }
  readonly spec?: Readonly<Record<string, unknown>>
  readonly data?: Readonly<Record<string, string>>
  readonly status?: Readonly<Record<string, unknown>>
}

/** The kinds of children. */
export const childKinds: readonly Kind[] = [ConfigMap, Secret, Deployment, Service, ClusterRole]

const pauseAnnotation = 'setpoint.dev/paused'
const foreignFinalizer = 'example.com/foreign'

/** Users and other controllers that change the objects of operators. */
export class Users {
  /**
   * Children without owner reference or labels, by uid: they stay if their owner is deleted first.
   */
  readonly stripped = new Set<string>()
  /** Owners without their finalizer, by uid: external objects stay if they are deleted first. */
  readonly unfinalized = new Set<string>()
  /** Deselected tickets, by uid. */
  readonly unmanaged = new Set<string>()
  /** Fields of children that a user wrote, and therefore owns. */
  readonly touched = new Set<string>()
  readonly log: string[] = []
  readonly #client: Client
  readonly #host: Host
  readonly #random: SeededRandom
  #texts = 0

  constructor(parts: { client: Client; host: Host; random: SeededRandom }) {
    this.#client = parts.client
    this.#host = parts.host
    this.#random = parts.random
  }

  /** One random action. Actions on deleted objects do nothing. */
  async act(): Promise<void> {
    const actions = [
      ...Array.from({ length: 5 }, () => this.#create),
      ...Array.from({ length: 5 }, () => this.#edit),
      this.#delete,
      this.#delete,
      this.#recreate,
      this.#recreate,
      this.#editChild,
      this.#editChild,
      this.#deleteChild,
      this.#removeOwnerMark,
      this.#removeOwnerMark,
      this.#editStatus,
      this.#annotate,
      this.#annotate,
      this.#pause,
      this.#label,
      this.#source,
      this.#source,
      this.#unfinalize,
      this.#toggleForeignFinalizer,
      this.#annotateChild,
    ]
    await this.ignoreApiErrors(() => this.#pick(actions).call(this))
  }

  /** Ends all obstacles: nothing stays paused or held by a foreign finalizer. */
  async removeObstacles(): Promise<void> {
    for (const kind of definitions) {
      for (const { metadata } of await this.#all(kind)) {
        await this.ignoreApiErrors(() => this.#removeForeignFinalizer(kind, metadata))
        const annotations = { [pauseAnnotation]: null }
        // A ticket that was deselected while no process ran keeps its finalizer: label it again, as
        // documented.
        const isHeld = metadata.finalizers !== undefined && kind === Ticket
        const merge = { metadata: { annotations, ...(isHeld ? { labels: managed } : {}) } }
        await this.ignoreApiErrors(() => this.#client.patch(kind, metadata, { merge }))
      }
    }
    await this.#deleteUnownedChildren()
  }

  /**
   * Deletes children without a known owner, which block new children of the same name, as the
   * message says.
   */
  async #deleteUnownedChildren(): Promise<void> {
    for (const kind of childKinds) {
      for (const { metadata } of await this.#all(kind)) {
        const { uid, labels, annotations } = metadata
        const hasNoKnownOwner =
          labels?.['setpoint.dev/owner-uid'] !== undefined &&
          annotations?.['setpoint.dev/owner'] === undefined
        if (this.stripped.has(uid) && hasNoKnownOwner) {
          await this.ignoreApiErrors(() => this.#client.delete(kind, metadata))
        }
      }
    }
  }

  async ignoreApiErrors(act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!isApiError(error)) throw error
      this.#record(`  refused: ${error.message.split('\n')[0]}`)
    }
  }

  #record(text: string): void {
    this.log.push(`${Math.round(this.#host.monotonicMs())} ${text}`)
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random.below(from.length)] as T
  }

  get #kind(): (typeof definitions)[number] {
    return this.#pick(definitions)
  }

  #name(kind: Kind): string {
    return `${kind.kind.toLowerCase()}-${this.#random.below(2)}`
  }

  #text(): string {
    return `text-${(this.#texts += 1)}`
  }

  async #all(kind: Kind): Promise<AnyObject[]> {
    return (await this.#client.listAll(kind)) as unknown as AnyObject[]
  }

  #specOf(kind: Kind): object {
    const below = (bound: number): number => this.#random.below(bound)
    const text = this.#text()
    if (kind === App) {
      const keys = ['a', 'b', 'c'].filter(() => below(2) === 0)
      const sizes = { replicas: below(3), shards: below(4) }
      return { text, keys, ...sizes, hasSecret: below(2) === 0, rev: String(below(3)) }
    }
    if (kind === Tenant) return { text, hasRole: below(2) === 0 }
    if (kind === Report) return { source: `source-${below(2)}`, count: below(4) }
    // A new value each time: a killed process cannot know of a change that was reverted.
    return { size: this.#texts, text }
  }

  async #createObject(kind: Kind, name: string): Promise<void> {
    const labels = kind === Ticket && this.#random.below(4) > 0 ? { labels: managed } : {}
    const object = { metadata: { name, ...labels }, spec: this.#specOf(kind) }
    this.#record(`create ${name} ${JSON.stringify(object.spec)}`)
    await this.#client.create(kind, object as never)
  }

  async #create(): Promise<void> {
    const kind = this.#kind
    await this.#createObject(kind, this.#name(kind))
  }

  async #edit(): Promise<void> {
    const kind = this.#kind
    const name = this.#name(kind)
    const whole = Object.entries(this.#specOf(kind))
    const some = whole.filter(() => this.#random.below(3) > 0)
    this.#record(`edit ${name} ${JSON.stringify(some)}`)
    await this.#client.patch(kind, name, { merge: { spec: Object.fromEntries(some) } })
  }

  async #delete(): Promise<void> {
    const kind = this.#kind
    const name = this.#name(kind)
    const propagation = this.#random.below(3) === 0 ? 'Foreground' : 'Background'
    this.#record(`delete ${name} ${propagation}`)
    await this.#client.delete(kind, name, { propagation })
  }

  async #recreate(): Promise<void> {
    const kind = this.#kind
    const name = this.#name(kind)
    this.#record(`delete and create ${name}`)
    await this.#client.delete(kind, name)
    for (let tries = 0; tries < 20; tries += 1) {
      if ((await this.#client.find(kind, name)) === undefined) return this.#createObject(kind, name)
      await this.#host.sleep(500)
    }
  }

  /** A child of any operator. */
  async #child(): Promise<readonly [Kind, AnyObject] | undefined> {
    const all: (readonly [Kind, AnyObject])[] = []
    for (const kind of childKinds) {
      for (const object of await this.#all(kind)) {
        const { ownerReferences = [], annotations = {} } = object.metadata
        const isOwned = ownerReferences.some(({ kind: of }) =>
          definitions.some((definition) => definition.kind === of),
        )
        if (isOwned || annotations['setpoint.dev/owner'] !== undefined) all.push([kind, object])
      }
    }
    return all.length === 0 ? undefined : this.#pick(all)
  }

  async #editChild(): Promise<void> {
    const child = await this.#child()
    if (child === undefined) return
    const [kind, { metadata, data }] = child
    this.#record(`edit child ${metadata.name}`)
    const key = this.#pick([...Object.keys(data ?? {}), 'foreign'])
    this.touched.add(`${kind.kind} ${metadata.name} ${key}`)
    const merges: Record<string, object> = {
      ConfigMap: { data: { [key]: this.#text() } },
      Secret: { data: { [key]: btoa(this.#text()) } },
      Deployment: { spec: { replicas: this.#random.below(4) } },
      Service: { spec: { ports: [{ port: 8000 + this.#random.below(10) }] } },
      ClusterRole: { rules: [] },
    }
    await this.#client.patch(kind, metadata, { merge: merges[kind.kind] ?? {} })
  }

  async #deleteChild(): Promise<void> {
    const child = await this.#child()
    if (child === undefined) return
    const [kind, { metadata }] = child
    this.#record(`delete child ${kind.kind} ${metadata.name}`)
    await this.#client.delete(kind, metadata)
  }

  /** Removes an owner reference or an owner label of a child. */
  async #removeOwnerMark(): Promise<void> {
    const child = await this.#child()
    if (child === undefined) return
    const [kind, { metadata }] = child
    const marks = Object.keys(metadata.annotations ?? {}).filter((name) =>
      name.includes('setpoint'),
    )
    const mark = this.#pick(['ownerReferences', 'labels', ...marks])
    this.#record(`remove the owner mark of child ${kind.kind} ${metadata.name}: ${mark}`)
    this.stripped.add(metadata.uid)
    const isAnnotation = mark !== 'ownerReferences' && mark !== 'labels'
    const merge = isAnnotation ? { annotations: { [mark]: null } } : { [mark]: null }
    await this.#client.patch(kind, metadata, { merge: { metadata: merge } })
  }

  async #editStatus(): Promise<void> {
    const kind = this.#kind
    const name = this.#name(kind)
    this.#record(`edit status of ${name}`)
    const lastTransitionTime = new Date(this.#host.now()).toISOString()
    const condition = { type: 'Ready', status: 'False', reason: 'Foreign', message: 'by hand' }
    const statuses: readonly object[] = [
      { conditions: [{ ...condition, lastTransitionTime }] },
      { conditions: null },
      kind === App ? { shards: 99 } : kind === Report ? { made: 99 } : { seen: 'nothing' },
    ]
    await this.#client.patch(kind, name, {
      merge: { status: this.#pick(statuses) },
      subresource: 'status',
    })
  }

  async #annotate(): Promise<void> {
    const kind = this.#kind
    const annotations = { foreign: this.#text() }
    await this.#client.patch(kind, this.#name(kind), { merge: { metadata: { annotations } } })
  }

  async #annotateChild(): Promise<void> {
    const child = await this.#child()
    if (child === undefined) return
    const annotations = { foreign: this.#text() }
    await this.#client.patch(child[0], child[1].metadata, { merge: { metadata: { annotations } } })
  }

  async #pause(): Promise<void> {
    const kind = this.#kind
    const name = this.#name(kind)
    const annotations = { [pauseAnnotation]: this.#random.below(2) === 0 ? 'true' : null }
    this.#record(`pause ${name} ${annotations[pauseAnnotation]}`)
    await this.#client.patch(kind, name, { merge: { metadata: { annotations } } })
  }

  /** Selects or deselects a ticket. */
  async #label(): Promise<void> {
    const name = this.#name(Ticket)
    const labels = { managed: this.#random.below(2) === 0 ? 'yes' : null }
    this.#record(`label ${name} ${labels.managed}`)
    const { metadata } = await this.#client.patch(Ticket, name, { merge: { metadata: { labels } } })
    if (labels.managed === null) this.unmanaged.add(metadata.uid)
  }

  async #source(): Promise<void> {
    const name = `source-${this.#random.below(2)}`
    const data = { text: btoa(this.#text()) }
    if (this.#random.below(4) === 0) await this.#client.delete(Secret, name)
    else if ((await this.#client.find(Secret, name)) !== undefined) {
      await this.#client.patch(Secret, name, { merge: { data } })
    } else await this.#client.create(Secret, { metadata: { name }, data })
    this.#record(`source ${name}`)
  }

  async #unfinalize(): Promise<void> {
    const kind = this.#kind
    const { metadata } = (await this.#client.get(kind, this.#name(kind))) as unknown as AnyObject
    this.#record(`remove finalizers of ${metadata.name}`)
    this.unfinalized.add(metadata.uid)
    await this.#client.patch(kind, metadata, { merge: { metadata: { finalizers: null } } })
  }

  /** Adds or removes a finalizer of another controller. */
  async #toggleForeignFinalizer(): Promise<void> {
    const kind = this.#kind
    const { metadata } = (await this.#client.get(kind, this.#name(kind))) as unknown as AnyObject
    const { finalizers = [], resourceVersion, name } = metadata
    this.#record(`add or remove a finalizer of ${name}`)
    if (finalizers.includes(foreignFinalizer)) return this.#removeForeignFinalizer(kind, metadata)
    const merge = { metadata: { resourceVersion, finalizers: [...finalizers, foreignFinalizer] } }
    await this.#client.patch(kind, name, { merge })
  }

  async #removeForeignFinalizer(
    kind: Kind,
    { name, namespace }: AnyObject['metadata'],
  ): Promise<void> {
    const place = namespace === undefined ? { name } : { name, namespace }
    const { metadata } = (await this.#client.get<Kind>(kind, place)) as AnyObject
    const { finalizers = [], resourceVersion } = metadata
    if (!finalizers.includes(foreignFinalizer)) return
    const others = finalizers.filter((one) => one !== foreignFinalizer)
    await this.#client.patch(kind, name, {
      merge: { metadata: { resourceVersion, finalizers: others } },
    })
  }
}
