import type { StoredChange } from '@setpoint/cluster'
import { type Fault, type Plan, stepsOf } from '../plans/plan.ts'
import type { RecordedWrite } from './recording.ts'
import { touchObject } from './touch-object.ts'
import { programUser, type SimWorld } from './sim-world.ts'
import type { RequestFault } from './simulated-process.ts'

type FaultOf<Type extends Fault['type']> = Extract<Fault, { type: Type }>

/** The user of the controllers of Kubernetes. */
const controllersUser = 'system:kube-controller-manager'

/** How long decisions on an old view may come after its end. */
const catchUpMs = 5000

/** Lets the faults of a plan happen in a world. Writes and changes count from `begin` on. */
export class FaultDriver {
  readonly steps: number
  /** Called before the write at which the user does the next step. */
  nextStep: () => Promise<void> = async () => Promise.resolve()
  readonly #plan: Plan
  #world: SimWorld | undefined
  #beginWrite = 0
  #beginCall = 0
  #changes = 0
  /** The revisions that views travel to, by fault. */
  readonly #revisions = new Map<Fault, number>()
  #isStale = false

  constructor(plan: Plan) {
    this.#plan = plan
    this.steps = stepsOf(plan)
  }

  /** Whether the program may act on an old state now. */
  get isStale(): boolean {
    return this.#isStale
  }

  /** Whether the program runs only after the steps. */
  get isAbsent(): boolean {
    return this.#ofType('absent').length > 0
  }

  /** Whether the program has to reach a fixed point between the steps. */
  get waitsBetweenSteps(): boolean {
    return this.#ofType('travel').length > 0
  }

  /** The step at which the faults happen begins. */
  begin(world: SimWorld, revision: number): void {
    this.#world = world
    this.#beginWrite = world.recording.writes.length
    this.#beginCall = world.externals.calls.length
    for (const fault of this.#plan.faults) if (isSinceBegin(fault)) this.#happens(fault)
    for (const fault of this.#ofType('travel')) this.#revisions.set(fault, revision)
    for (const fault of this.#ofType('hold')) this.#hold(fault.resource, fault)
    for (const fault of this.#ofType('slow-controllers')) {
      this.#slow = world.cluster.faults.delayEvents({ user: controllersUser }, `${fault.byMs}ms`)
    }
    for (const fault of this.#ofType('clock')) world.clockAheadMs = fault.byMs
    for (const fault of this.#ofType('stale-calls')) world.externals.staleMs = fault.forMs
    world.reversesLists = this.#ofType('reversed-lists').length > 0
    const relist = this.#ofType('relist').length > 0
    if (relist) this.#expiring = world.cluster.faults.holdEvents({ user: programUser })
    world.externals.faultOf = ({ number }) => {
      for (const fault of this.#plan.faults) {
        if (!('call' in fault) || fault.call !== number - this.#beginCall) continue
        this.#happens(fault)
        return fault.type
      }
      return undefined
    }
  }

  #expiring: Disposable | undefined
  #slow: Disposable | undefined

  /** Ends what lasts until the program is calm; returns whether anything did. */
  end(): boolean {
    this.#slow?.[Symbol.dispose]()
    return this.#slow !== undefined
  }

  /** A change of the stored state, by any client. */
  changed(change: StoredChange): void {
    if (this.#world === undefined) return
    this.#changes += 1
    for (const fault of this.#ofType('travel')) {
      if (fault.change === this.#changes) this.#revisions.set(fault, change.revision)
    }
  }

  /** Decides what happens to a write, before it is sent. */
  beforeWrite(write: RecordedWrite): Promise<RequestFault | undefined> | RequestFault | undefined {
    if (this.#world === undefined) return undefined
    const number = write.number - this.#beginWrite
    const fault = this.#plan.faults.find((one) => 'write' in one && one.write === number)
    if (fault === undefined || !('write' in fault)) return undefined
    return this.#atWrite(this.#world, write, fault)
  }

  #atWrite(
    world: SimWorld,
    write: RecordedWrite,
    fault: Extract<Fault, { write: number }>,
  ): Promise<RequestFault | undefined> | RequestFault | undefined {
    const { faults } = world.cluster
    const { group, plural } = write
    this.#happens(fault)
    const match = { user: programUser, kind: { group, plural } }
    switch (fault.type) {
      case 'conflict':
        return touchObject(world, write).then(() => undefined)
      case 'next-step':
        return this.nextStep().then(() => undefined)
      case 'error':
        faults.answer({ ...match, verb: write.verb as 'create' }, fault.code)
        return undefined
      case 'lag':
        this.#hold(write.bucket, fault)
        return undefined
      case 'crash-long':
        world.restartsAfter(fault.downMs)
        return 'crash-after'
      case 'pause':
        return this.#pause(world, fault)
      default:
        return fault.type
    }
  }

  /** The steps are done. */
  async afterSteps(): Promise<void> {
    const world = this.#world
    if (world === undefined) return
    if (this.#expiring !== undefined) {
      await world.host.sleep(5000)
      world.cluster.faults.endWatches({ user: programUser }, 'expired')
      this.#expiring[Symbol.dispose]()
      for (const fault of this.#ofType('relist')) this.#happens(fault, 'fault-over')
    }
    if (this.isAbsent) world.start()
    for (const fault of this.#ofType('travel')) await this.#travel(world, fault)
  }

  async #travel(world: SimWorld, fault: FaultOf<'travel'>): Promise<void> {
    const { resource } = fault
    const revision = this.#revisions.get(fault)
    const match = resource === undefined ? {} : { kind: kindOf(resource) }
    const held = world.cluster.faults.holdEvents(
      { user: programUser, ...match },
      revision === undefined ? {} : { revision },
    )
    this.#isStale = true
    this.#happens(fault)
    world.restart()
    await world.host.sleep(fault.forMs)
    held[Symbol.dispose]()
    this.#happens(fault, 'fault-over')
    this.#endStaleness(world)
  }

  #hold(resource: string, fault: FaultOf<'hold' | 'lag'>): void {
    const world = this.#world
    if (world === undefined) return
    const { faults } = world.cluster
    const held = faults.holdEvents({ user: programUser, kind: kindOf(resource) })
    this.#isStale = true
    world.host.setTimer(fault.forMs, () => {
      held[Symbol.dispose]()
      this.#happens(fault, 'fault-over')
      this.#endStaleness(world)
    })
  }

  /** The views of several resources become current one after the other. */
  #endStaleness({ host }: SimWorld): void {
    host.setTimer(catchUpMs, () => {
      this.#isStale = false
    })
  }

  /** Another replica is elected while the leader sleeps. */
  async #pause(world: SimWorld, fault: FaultOf<'pause'>): Promise<undefined> {
    const resume = world.pause()
    world.start()
    await world.host.sleep(fault.forMs)
    resume()
    this.#happens(fault, 'fault-over')
    return undefined
  }

  /** Notes a fault in the timeline. */
  #happens(fault: Fault, is: 'fault' | 'fault-over' = 'fault'): void {
    const world = this.#world
    world?.observe({ is, timeMs: world.timeMs, fault })
  }

  #ofType<Type extends Fault['type']>(type: Type): FaultOf<Type>[] {
    return this.#plan.faults.filter((fault): fault is FaultOf<Type> => fault.type === type)
  }
}

/** Whether a fault begins with the step, and not at a request or after the steps. */
function isSinceBegin(fault: Fault): boolean {
  return !('write' in fault) && !('call' in fault) && fault.type !== 'travel'
}

/** The kind of a resource such as `apps/deployments`. */
function kindOf(resource: string): { readonly group: string; readonly plural: string } {
  const slash = resource.indexOf('/')
  return { group: resource.slice(0, slash), plural: resource.slice(slash + 1) }
}
