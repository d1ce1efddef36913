import { createCluster, type Cluster } from '@setpoint/cluster'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  Client,
  type Connection,
  connectionFromKubeconfig,
  fixedCredentials,
} from '../client/index.ts'
import { isSetpointError, SetpointError } from '../errors/index.ts'
import {
  type Host,
  type Intercept,
  seededRandom,
  type Verdict,
  type VirtualEvent,
  type VirtualHost,
  virtualHost,
} from '../host/index.ts'
import { Lease } from '../kinds/index.ts'
import type { ElectionOptions } from './election-options.ts'
import { LeaderElection } from './index.ts'

type Leadership = Parameters<NonNullable<ElectionOptions['onChange']>>[0]

/** One term as leader, in virtual time. */
interface Term {
  readonly fromMs: number
  /** When the signal of the work was aborted. */
  untilMs?: number
  reason?: unknown
  hasEnded?: true
}

/** A replica with its own clock, connections and failures, like a separate process. */
interface Replica {
  readonly election: LeaderElection
  readonly client: Client
  readonly changes: Leadership[]
  readonly failures: string[]
  readonly terms: Term[]
  /** Whether it runs the work of the leader now. */
  isWorking(): boolean
  readonly ended: Promise<unknown>
  stop(): void
  /** Nothing that it waits for arrives before `thaw`; a crashed process never thaws. */
  freeze(): void
  thaw(): void
}

interface ReplicaOptions extends Partial<ElectionOptions> {
  readonly skewMs?: number
  /** The speed of its clock. */
  readonly rate?: number
  /** How long the work takes to end after the abort. */
  readonly endMs?: number
}

/** All names of the one server, so that `intercept` can distinguish replicas by their URLs. */
const names = ['127.0.0.1', 'localhost', '[::1]'] as const

interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  /** The access of the test itself, without faults. */
  readonly admin: Client
  readonly replicas: Replica[]
  lease(): Promise<Lease | undefined>
  start(options?: ReplicaOptions): Replica
  leaders(): string[]
}

async function createWorld(faults: { seed?: number; intercept?: Intercept } = {}): Promise<World> {
  const replicas: Replica[] = []
  const violations: string[] = []
  const leaders = (): string[] =>
    replicas.filter(({ election }) => election.isLeader).map(({ election }) => election.identity)
  const host = virtualHost({
    seed: faults.seed ?? 1,
    intercept: (event) => {
      const violation = violationOf(replicas)
      if (violation !== undefined) violations.push(`at ${event.atMs} ms ${violation}`)
      const isSubject = event.url?.includes('/leases') === true && !event.url.includes('0.0.0.0')
      return isSubject && event.kind !== 'reset' ? faults.intercept?.(event) : undefined
    },
  })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const clientAt = (name: string, on: Host): Client =>
    new Client(on, { ...connection, server: connection.server.replace('127.0.0.1', name) })
  const admin = clientAt('0.0.0.0', host)
  return {
    host,
    cluster,
    admin,
    replicas,
    leaders,
    lease: () => admin.find(Lease, 'app'),
    start: (options = {}) => {
      const index = replicas.length
      const process = new VirtualProcess(host, options)
      const client = clientAt(names[index % names.length] ?? '', process.host)
      const identity = `replica-${index}`
      const replica = startReplica({ process, world: host }, { identity, client, ...options })
      replicas.push(replica)
      return replica
    },
    [Symbol.asyncDispose]: async () => {
      for (const replica of replicas) replica.stop()
      await cluster.dispose()
      host.stop()
      expect(violations.slice(0, 3)).toEqual([])
    },
  }
}

/** Checks the guarantee of the election before every event: at most one leader at a time. */
function violationOf(replicas: readonly Replica[]): string | undefined {
  const leading = replicas.filter(({ election }) => election.isLeader)
  const working = replicas.filter((replica) => replica.isWorking())
  if (leading.length <= 1 && working.length <= 1) return undefined
  const text = (some: Replica[]) => some.map(({ election }) => election.identity).join(' and ')
  return `leaders: ${text(leading)}; working: ${text(working)}`
}

/** A process that can freeze, with its own clock. */
class VirtualProcess {
  readonly host: Host
  /** Whether it was ever frozen: then its work may have been aborted too late. */
  wasFrozen = false
  #frozen: Promise<void> | undefined
  thaw = (): void => undefined

  constructor(host: VirtualHost, { skewMs = 0, rate = 1 }: ReplicaOptions) {
    // A promise that settled while the process is frozen is delivered after the thaw.
    const awake = async <T>(given: Promise<T>): Promise<T> => {
      await Promise.allSettled([given])
      await this.#frozen
      return given
    }
    this.host = {
      ...host,
      env: () => undefined,
      now: () => host.now() + skewMs,
      monotonicMs: () => host.monotonicMs() * rate,
      setTimer: (ms, run) =>
        host.setTimer(ms / rate, () => {
          if (this.#frozen === undefined) run()
          else void this.#frozen.then(run)
        }),
      sleep: (ms, signal) => awake(host.sleep(ms / rate, signal)),
      request: (request) => awake(host.request(request)),
    }
  }

  get isFrozen(): boolean {
    return this.#frozen !== undefined
  }

  freeze(): void {
    this.wasFrozen = true
    this.#frozen ??= new Promise((resolve) => {
      this.thaw = () => {
        this.#frozen = undefined
        resolve()
      }
    })
  }
}

function startReplica(
  { process, world: host }: { readonly process: VirtualProcess; readonly world: VirtualHost },
  options: ReplicaOptions & { readonly client: Client },
): Replica {
  const { endMs = 0 } = options
  const stopping = new AbortController()
  const changes: Leadership[] = []
  const failures: string[] = []
  const terms: Term[] = []
  const election = new LeaderElection({
    name: 'app',
    host: process.host,
    onChange: (leadership) => changes.push(leadership),
    onFailure: (error) => failures.push(isSetpointError(error) ? error.code : String(error)),
    ...options,
  })
  const work = async (signal: AbortSignal): Promise<void> => {
    const term: Term = { fromMs: host.monotonicMs() }
    terms.push(term)
    await process.host.sleep(Infinity, signal).catch(() => undefined)
    term.untilMs = host.monotonicMs()
    term.reason = signal.reason
    await process.host.sleep(endMs)
    term.hasEnded = true
  }
  const isWorking = (): boolean => {
    const term = terms.at(-1)
    if (term === undefined || term.hasEnded === true || process.isFrozen) return false
    return term.untilMs === undefined || !process.wasFrozen
  }
  return {
    election,
    client: options.client,
    changes,
    failures,
    terms,
    isWorking,
    ended: election.run(work, stopping.signal),
    stop: () => stopping.abort(),
    freeze: () => process.freeze(),
    thaw: () => process.thaw(),
  }
}

test('creates the Lease as client-go writes it, and renews it with one request each', async () => {
  await using world = await createWorld()
  const first = world.start()
  await world.host.settle()
  const created = await world.lease()
  expect(created?.spec).toEqual({
    holderIdentity: 'replica-0',
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
    acquireTime: expect.stringMatching(/^2030-01-01T00:00:00\.000\d{3}Z$/) as string,
    renewTime: created?.spec.acquireTime,
  })
  expect(first.election.isLeader).toBe(true)
  const seen = world.cluster.trace.length
  await world.host.sleep(20_000)
  const verbs = world.cluster.trace.slice(seen).map(({ verb }) => verb)
  expect(new Set(verbs)).toEqual(new Set(['update']))
  expect(verbs.length).toBeGreaterThanOrEqual(8)
  expect(verbs.length).toBeLessThanOrEqual(10)
  const renewed = await world.lease()
  expect(renewed?.spec).toMatchObject({
    acquireTime: created?.spec.acquireTime,
    leaseTransitions: 0,
  })
  expect(renewed?.spec.renewTime).not.toBe(created?.spec.renewTime)
  expect(first.changes).toEqual([{ isLeader: true, holder: 'replica-0' }])
})

test('has one leader among three replicas, and all know it', async () => {
  await using world = await createWorld()
  const all = [world.start(), world.start(), world.start()]
  await world.host.sleep(60_000)
  expect(world.leaders()).toHaveLength(1)
  expect(new Set(all.map(({ election }) => election.holder))).toEqual(new Set(world.leaders()))
  expect(all.flatMap(({ terms }) => terms)).toHaveLength(1)
  // A conflict at creation is not reported.
  expect(all.flatMap(({ failures }) => failures)).toEqual([])
})

test('releases the Lease after the work of a stopped replica ended, so that the next one starts early', async () => {
  await using world = await createWorld()
  const first = world.start({ endMs: 3000 })
  await world.host.sleep(5000)
  const second = world.start()
  await world.host.sleep(1000)
  first.stop()
  await world.host.sleep(2999)
  expect(first.election.isLeader).toBe(true)
  await first.ended
  expect(first.election.isLeader).toBe(false)
  expect((await world.lease())?.spec).toMatchObject({
    holderIdentity: '',
    leaseDurationSeconds: 1,
    leaseTransitions: 0,
  })
  await world.host.sleep(4500)
  expect(world.leaders()).toEqual(['replica-1'])
  expect((await world.lease())?.spec).toMatchObject({
    holderIdentity: 'replica-1',
    leaseDurationSeconds: 15,
    leaseTransitions: 1,
  })
  expect(second.changes.at(-1)).toEqual({ isLeader: true, holder: 'replica-1' })
  expect(first.changes.at(-1)).toEqual({ isLeader: false, holder: '' })
})

test('renews the Lease while the work of a stopped replica ends', async () => {
  await using world = await createWorld()
  const first = world.start({ endMs: 60_000 })
  await world.host.sleep(5000)
  const second = world.start()
  first.stop()
  await world.host.sleep(55_000)
  expect(first.election.isLeader).toBe(true)
  expect(second.terms).toEqual([])
  await world.host.sleep(15_000)
  expect(world.leaders()).toEqual(['replica-1'])
})

test('waits until the Lease expires without releaseOnStop', async () => {
  await using world = await createWorld()
  const first = world.start({ releaseOnStop: false })
  await world.host.sleep(5000)
  world.start()
  first.stop()
  await first.ended
  await world.host.sleep(12_000)
  expect(world.leaders()).toEqual([])
  await world.host.sleep(8000)
  expect(world.leaders()).toEqual(['replica-1'])
})

test('replaces a crashed holder when its Lease has expired, not before', async () => {
  await using world = await createWorld()
  const first = world.start()
  await world.host.sleep(5000)
  const second = world.start()
  await world.host.sleep(5000)
  first.freeze()
  const renewTime = (await world.lease())?.spec.renewTime ?? ''
  await world.host.sleep(25_000)
  const [term] = second.terms
  const renewedMs = Date.parse(renewTime) - Date.UTC(2030, 0, 1)
  expect((term?.fromMs ?? 0) - renewedMs).toBeGreaterThanOrEqual(15_000)
  expect((term?.fromMs ?? 0) - renewedMs).toBeLessThanOrEqual(24_000)
  expect((await world.lease())?.spec.leaseTransitions).toBe(1)
})

test('loses leadership when a frozen holder resumes', async () => {
  await using world = await createWorld()
  const first = world.start()
  await world.host.sleep(5000)
  const second = world.start()
  await world.host.sleep(5000)
  first.freeze()
  await world.host.sleep(30_000)
  expect(world.leaders()).toEqual(['replica-1'])
  first.thaw()
  expect(first.election.isLeader).toBe(false)
  await world.host.settle()
  expect(first.terms[0]?.reason).toMatchObject({ code: 'LEADERSHIP_LOST' })
  await world.host.sleep(30_000)
  expect(world.leaders()).toEqual(['replica-1'])
  expect(second.terms).toHaveLength(1)
})

test('ignores wall clocks that are hours wrong', async () => {
  for (const skewMs of [-7_200_000, 7_200_000]) {
    await using world = await createWorld()
    const first = world.start({ skewMs })
    await world.host.sleep(5000)
    const second = world.start()
    world.start({ skewMs: -skewMs })
    await world.host.sleep(120_000)
    expect(world.leaders()).toEqual(['replica-0'])
    expect(first.terms).toHaveLength(1)
    expect(second.terms).toHaveLength(0)
  }
})

test('recognises renewals although the wall clock stands still', async () => {
  await using world = await createWorld()
  world.start({ host: { ...world.host, env: () => undefined, now: () => Date.UTC(2030, 0, 1) } })
  await world.host.sleep(5000)
  const second = world.start()
  await world.host.sleep(300_000)
  expect(second.terms).toEqual([])
})

test('loses leadership after renewDeadline without an API, and can lead again later', async () => {
  let isNetworkCut = false
  await using world = await createWorld({
    intercept: ({ url }) =>
      isNetworkCut && url?.includes('127.0.0.1') === true ? 'drop' : undefined,
  })
  const first = world.start()
  await world.host.sleep(5000)
  const second = world.start()
  await world.host.sleep(5000)
  isNetworkCut = true
  await world.host.sleep(40_000)
  const lostMs = first.terms[0]?.untilMs ?? 0
  expect(first.terms[0]?.reason).toMatchObject({ code: 'LEADERSHIP_LOST' })
  expect(lostMs).toBeLessThanOrEqual(10_000 + 10_000)
  expect((second.terms[0]?.fromMs ?? 0) - lostMs).toBeGreaterThanOrEqual(5000)
  expect(first.failures).toContain('WRITE_OUTCOME_UNKNOWN')
  isNetworkCut = false
  second.stop()
  await world.host.sleep(15_000)
  expect(world.leaders()).toEqual(['replica-0'])
  expect(first.changes.map(({ isLeader }) => isLeader)).toContain(false)
  expect(first.terms).toHaveLength(2)
})

test('keeps the term through an outage that is shorter than renewDeadline', async () => {
  let isNetworkCut = false
  await using world = await createWorld({ intercept: () => (isNetworkCut ? 'drop' : undefined) })
  const first = world.start()
  await world.host.sleep(5000)
  world.start()
  await world.host.sleep(5000)
  isNetworkCut = true
  await world.host.sleep(2000)
  isNetworkCut = false
  await world.host.sleep(60_000)
  expect(first.terms).toHaveLength(1)
  expect(world.leaders()).toEqual(['replica-0'])
})

test('ends the term in a long outage, and elects one leader after it', async () => {
  let isNetworkCut = false
  await using world = await createWorld({ intercept: () => (isNetworkCut ? 'cut' : undefined) })
  const all = [world.start(), world.start(), world.start()]
  await world.host.sleep(20_000)
  isNetworkCut = true
  await world.host.sleep(11_000)
  expect(world.leaders()).toEqual([])
  await world.host.sleep(120_000)
  isNetworkCut = false
  await world.host.sleep(20_000)
  expect(world.leaders()).toHaveLength(1)
  expect(all.flatMap(({ terms }) => terms)).toHaveLength(2)
})

test('continues after a renewal whose response was lost', async () => {
  const lost: VirtualEvent[] = []
  let isNetworkCut = false
  await using world = await createWorld({
    intercept: (event) => {
      if (!isNetworkCut || event.kind !== 'response' || event.method !== 'PUT' || lost.length > 0)
        return
      lost.push(event)
      return 'cut'
    },
  })
  const first = world.start()
  await world.host.sleep(5000)
  isNetworkCut = true
  const before = await world.lease()
  await world.host.sleep(60_000)
  expect(lost).toHaveLength(1)
  expect(first.failures).toEqual(['WRITE_OUTCOME_UNKNOWN'])
  expect(first.terms).toHaveLength(1)
  expect((await world.lease())?.spec.acquireTime).toBe(before?.spec.acquireTime)
})

test('counts leadership from when the renewal was sent, not from its response', async () => {
  let sentMs = Infinity
  await using world = await createWorld({
    intercept: ({ kind, method, atMs }) => {
      if (atMs < 10_000 || method !== 'PUT') return undefined
      if (kind === 'connect' && sentMs === Infinity) {
        sentMs = atMs
        return undefined
      }
      // The first response takes long, and no other request arrives.
      if (kind === 'response') return { delay: 4900 }
      return kind === 'connect' ? 'drop' : undefined
    },
  })
  const first = world.start()
  await world.host.sleep(60_000)
  expect(first.terms[0]?.untilMs).toBe(sentMs + 10_000)
})

test('recognises its own acquisition whose response was lost', async () => {
  let cuts = 0
  await using world = await createWorld({
    intercept: ({ kind, method }) =>
      kind === 'response' && method === 'POST' && (cuts += 1) === 1 ? 'cut' : undefined,
  })
  const first = world.start()
  await world.host.sleep(5000)
  expect(first.failures).toEqual(['WRITE_OUTCOME_UNKNOWN'])
  expect(world.leaders()).toEqual(['replica-0'])
  expect((await world.lease())?.spec.leaseTransitions).toBe(0)
})

test('leaves no held Lease when it is stopped during an acquisition without a response', async () => {
  await using world = await createWorld({
    intercept: ({ kind, method }) =>
      kind === 'response' && method === 'POST' ? 'drop' : undefined,
  })
  const first = world.start()
  await world.host.sleep(1000)
  expect((await world.lease())?.spec.holderIdentity).toBe('replica-0')
  first.stop()
  await first.ended
  expect((await world.lease())?.spec.holderIdentity).toBe('')
  expect(first.terms).toEqual([])
})

test('does not repeat a release whose response was lost', async () => {
  let isNetworkCut = false
  await using world = await createWorld({
    intercept: ({ kind, method }) =>
      isNetworkCut && kind === 'response' && method === 'PUT' ? 'cut' : undefined,
  })
  const first = world.start()
  await world.host.sleep(5000)
  isNetworkCut = true
  first.stop()
  await first.ended
  expect((await world.lease())?.spec.holderIdentity).toBe('')
  expect(first.failures).toEqual([])
})

test('reports a failed release and still ends', async () => {
  let isNetworkCut = false
  await using world = await createWorld({ intercept: () => (isNetworkCut ? 'drop' : undefined) })
  const first = world.start()
  await world.host.sleep(5000)
  isNetworkCut = true
  const beforeMs = world.host.monotonicMs()
  first.stop()
  await first.ended
  expect(world.host.monotonicMs() - beforeMs).toBeLessThanOrEqual(10_000)
  expect(first.failures.length).toBeGreaterThan(0)
  expect(world.leaders()).toEqual([])
})

test('recreates a deleted Lease, and no standby takes over', async () => {
  await using world = await createWorld()
  const first = world.start()
  await world.host.sleep(5000)
  const second = world.start()
  await world.host.sleep(5000)
  const before = await world.lease()
  for (let times = 0; times < 10; times += 1) {
    await world.admin.delete(Lease, 'app')
    await world.host.sleep(3000)
  }
  expect(first.terms).toHaveLength(1)
  expect(first.terms[0]?.untilMs).toBeUndefined()
  expect(second.terms).toEqual([])
  const after = await world.lease()
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
  expect(after?.spec.acquireTime).toBe(before?.spec.acquireTime)
  first.freeze()
  await world.admin.delete(Lease, 'app')
  await world.host.sleep(20_000)
  expect(world.leaders()).toEqual(['replica-1'])
})

test('keeps the Lease when its labels and durations are edited by hand', async () => {
  await using world = await createWorld()
  const first = world.start()
  await world.host.sleep(5000)
  const second = world.start()
  for (let times = 0; times < 20; times += 1) {
    const spec = { leaseDurationSeconds: 1, renewTime: '2020-01-01T00:00:00.000000Z' }
    const labels = { edited: String(times) }
    await world.admin.patch(Lease, 'app', { merge: { metadata: { labels }, spec } })
    await world.host.sleep(1900)
  }
  await world.host.sleep(3000)
  expect(first.terms).toHaveLength(1)
  expect(first.terms[0]?.untilMs).toBeUndefined()
  expect(second.terms).toEqual([])
  expect(await world.lease()).toMatchObject({
    metadata: { labels: { edited: '19' } },
    spec: { leaseDurationSeconds: 15, holderIdentity: 'replica-0' },
  })
})

test('loses the Lease at the next renewal when a user sets another holder', async () => {
  await using world = await createWorld()
  const first = world.start()
  await world.host.sleep(5000)
  await world.admin.patch(Lease, 'app', { merge: { spec: { holderIdentity: 'a user' } } })
  await world.host.sleep(2500)
  expect(first.terms[0]?.reason).toMatchObject({
    code: 'LEADERSHIP_LOST',
    message: expect.stringContaining('held by "a user"') as string,
  })
  expect(world.leaders()).toEqual([])
  expect(first.changes.at(-1)).toEqual({ isLeader: false, holder: 'a user' })
  await world.host.sleep(20_000)
  expect(world.leaders()).toEqual(['replica-0'])
  expect((await world.lease())?.spec.leaseTransitions).toBe(1)
})

test('loses the Lease when a user removes the holder, and no standby starts too early', async () => {
  await using world = await createWorld()
  const first = world.start()
  await world.host.sleep(5000)
  const second = world.start()
  await world.host.sleep(5000)
  await world.admin.patch(Lease, 'app', { merge: { spec: null } })
  await world.host.sleep(2500)
  expect(first.terms[0]?.reason).toMatchObject({ code: 'LEADERSHIP_LOST' })
  await world.host.sleep(30_000)
  expect(world.leaders()).toHaveLength(1)
  expect([...first.terms, ...second.terms]).toHaveLength(2)
})

test('acquires a Lease without a holder immediately', async () => {
  await using world = await createWorld()
  await world.admin.create(Lease, { metadata: { name: 'app', labels: { mine: 'yes' } }, spec: {} })
  world.start()
  await world.host.settle()
  expect(world.leaders()).toEqual(['replica-0'])
  expect((await world.lease())?.metadata.labels).toEqual({ mine: 'yes' })
})

test('has one leader although two replicas have the same identity', async () => {
  await using world = await createWorld()
  const identity = 'twin'
  const first = world.start({ identity })
  await world.host.sleep(5000)
  const second = world.start({ identity })
  await world.host.sleep(60_000)
  expect(world.leaders()).toEqual([identity])
  expect(second.terms).toEqual([])
  first.stop()
  await world.host.sleep(5000)
  expect(second.terms).toHaveLength(1)
})

test('ends the election and releases the Lease when the work returns or fails', async () => {
  await using world = await createWorld()
  const election = new LeaderElection({
    host: world.host,
    client: world.admin,
    name: 'app',
    namespace: 'default',
  })
  expect(election.identity).toMatch(/^[0-9a-f-]{36}$/)
  const { signal } = new AbortController()
  let secondRun: Promise<void> = Promise.resolve()
  await election.run(async () => {
    secondRun = election.run(async () => undefined, signal)
    await Promise.allSettled([secondRun])
  }, signal)
  await expect(secondRun).rejects.toThrow('is already running')
  expect((await world.lease())?.spec).toMatchObject({ holderIdentity: '', leaseTransitions: 0 })
  const failing = election.run(async () => {
    throw new Error('broken')
  }, signal)
  await expect(failing).rejects.toThrow('broken')
  expect((await world.lease())?.spec).toMatchObject({ holderIdentity: '', leaseTransitions: 1 })
  let hasStarted = false
  const started = async (): Promise<void> => void (hasStarted = true)
  await election.run(started, AbortSignal.abort())
  expect(hasStarted).toBe(false)
})

test('continues the election when aborted work throws', async () => {
  await using world = await createWorld()
  const failures: unknown[] = []
  const stopping = new AbortController()
  const errors = [
    new SetpointError('ABORTED', 'expected'),
    new SetpointError('WRITE_OUTCOME_UNKNOWN', 'worth knowing'),
  ]
  let runs = 0
  const onFailure = (error: unknown): void => void failures.push(error)
  const election = new LeaderElection({
    host: world.host,
    client: world.admin,
    name: 'app',
    onFailure,
  })
  const ended = election.run(async (signal) => {
    runs += 1
    await world.host.sleep(Infinity, signal).catch(() => undefined)
    throw errors[runs - 1] ?? new Error('more runs than expected')
  }, stopping.signal)
  await world.host.sleep(5000)
  await world.admin.patch(Lease, 'app', { merge: { spec: { holderIdentity: '' } } })
  await world.host.sleep(30_000)
  stopping.abort()
  await ended
  expect(runs).toBe(2)
  expect(failures).toEqual([errors[1]])
})

const unreachableConnection: Connection = {
  server: 'https://unreachable',
  credentials: fixedCredentials({}),
  namespace: 'default',
  name: 'unreachable',
}

test('uses the name of the pod as the default identity', () => {
  const host = virtualHost({ seed: 1, env: { HOSTNAME: 'app-7d9' } })
  const client = new Client(host, unreachableConnection)
  expect(new LeaderElection({ host, client, name: 'app' }).identity).toBe('app-7d9')
  host.stop()
})

test('refuses times that would allow two leaders or no renewal', () => {
  const host = virtualHost({ seed: 1 })
  const client = new Client(host, unreachableConnection)
  const problem = (options: Partial<ElectionOptions>): unknown => {
    try {
      return new LeaderElection({ host, client, name: 'app', ...options })
    } catch (error) {
      return isSetpointError(error, 'ELECTION_INVALID') ||
        isSetpointError(error, 'DURATION_INVALID')
        ? error.message.split('\n')[0]
        : error
    }
  }
  expect(problem({ renewDeadline: '15s' })).toContain('two replicas could lead')
  expect(problem({ renewDeadline: Number.NaN })).toContain('renewDeadline is NaN')
  expect(problem({ leaseDuration: 15_500 })).toContain('whole seconds')
  expect(problem({ leaseDuration: '1s', renewDeadline: 500, retryPeriod: 100 })).toContain(
    'less than 2000 ms',
  )
  expect(problem({ retryPeriod: 9000 })).toContain('a renewal could not be in time')
  expect(problem({ retryPeriod: 0 })).toContain('it must be positive')
  expect(problem({ identity: '' })).toContain('identity is empty')
  host.stop()
})

/** A random fault of a request or its response. */
function randomFault(random: () => number): Verdict {
  const kinds: Verdict[] = ['drop', 'cut', { delay: 20_000 * random() }, { delay: 3000 * random() }]
  return kinds[Math.floor(random() * kinds.length)]
}

const faultsArbitrary = fc.record({
  seed: fc.nat(),
  /** The probability of a fault at each step of a request. */
  badness: fc.constantFrom(0, 0.02, 0.1, 0.3),
  clocks: fc.array(
    fc.record({
      skewMs: fc.integer({ min: -10_000_000, max: 10_000_000 }),
      rate: fc.double({ min: 0.9, max: 1.1, noNaN: true }),
    }),
    { minLength: 2, maxLength: 3 },
  ),
  /** The faults in order: the replica, the fault, and the time until the next. */
  plan: fc.array(
    fc.record({
      who: fc.nat({ max: 2 }),
      what: fc.constantFrom('cut off', 'reconnect', 'freeze', 'thaw', 'stop', 'stop'),
      restMs: fc.integer({ min: 0, max: 25_000 }),
    }),
    { maxLength: 12 },
  ),
})

test('never has two leaders and ends with one under random faults', async () => {
  let terms = 0
  const property = fc.asyncProperty(faultsArbitrary, async ({ seed, badness, clocks, plan }) => {
    const random = seededRandom(seed)
    const cutOff = new Set<string>()
    let hasEnded = false
    await using world = await createWorld({
      seed,
      intercept: ({ url = '' }) => {
        if (hasEnded) return undefined
        if ([...cutOff].some((name) => url.includes(name))) return 'drop'
        return random.random() < badness ? randomFault(() => random.random()) : undefined
      },
    })
    const begin = (clock: ReplicaOptions) => world.start({ ...clock, endMs: 2000 })
    const slots = clocks.map((clock) => ({ clock, replica: begin(clock) }))
    for (const { who, what, restMs } of plan) {
      const slot = slots[who % slots.length]
      const name = names[world.replicas.indexOf(slot?.replica as Replica) % names.length] ?? ''
      if (slot === undefined) continue
      if (what === 'cut off') cutOff.add(name)
      if (what === 'reconnect') cutOff.delete(name)
      if (what === 'freeze') slot.replica.freeze()
      if (what === 'thaw') slot.replica.thaw()
      if (what === 'stop') {
        slot.replica.stop()
        slot.replica = begin(slot.clock)
      }
      await world.host.sleep(restMs)
    }
    hasEnded = true
    for (const replica of world.replicas) replica.thaw()
    await world.host.sleep(80_000)
    expect(world.leaders()).toHaveLength(1)
    expect(world.replicas.filter((replica) => replica.isWorking())).toHaveLength(1)
    terms += world.replicas.flatMap((replica) => replica.terms).length
  })
  await fc.assert(property, { numRuns: 60 })
  expect(terms).toBeGreaterThan(90)
})
