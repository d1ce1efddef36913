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
import { Election } from './index.ts'

type Leadership = Parameters<NonNullable<ElectionOptions['onChange']>>[0]

/** One time as leader, in virtual time. */
interface Term {
  readonly fromMs: number
  /** When the work was told to end. */
  untilMs?: number
  reason?: unknown
  isOver?: true
}

/** A replica in the world: a process of its own, as far as clock, death and connections go. */
interface Replica {
  readonly election: Election
  readonly client: Client
  readonly changes: Leadership[]
  readonly failures: string[]
  readonly terms: Term[]
  /** Whether it does what only one may do, now. */
  isWorking(): boolean
  readonly ended: Promise<unknown>
  stop(): void
  /** Nothing it waits for comes before `thaw`; a process that died never thaws. */
  freeze(): void
  thaw(): void
}

interface ReplicaOptions extends Partial<ElectionOptions> {
  readonly skewMs?: number
  /** How fast its clock runs. */
  readonly rate?: number
  /** How long the work takes to end when it is told to. */
  readonly endMs?: number
}

/** All names of the one server, so that `intercept` can tell replicas apart by their URLs. */
const names = ['127.0.0.1', 'localhost', '[::1]'] as const

interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  /** The test's own access, which no fault concerns. */
  readonly admin: Client
  readonly replicas: Replica[]
  lease(): Promise<Lease | undefined>
  start(options?: ReplicaOptions): Replica
  leaders(): string[]
}

async function world(faults: { seed?: number; intercept?: Intercept } = {}): Promise<World> {
  const replicas: Replica[] = []
  const troubles: string[] = []
  const leaders = (): string[] =>
    replicas.filter(({ election }) => election.isLeader).map(({ election }) => election.identity)
  const host = virtualHost({
    seed: faults.seed ?? 1,
    intercept: (event) => {
      const trouble = troubleOf(replicas)
      if (trouble !== undefined) troubles.push(`at ${event.atMs} ms ${trouble}`)
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
      expect(troubles.slice(0, 3)).toEqual([])
    },
  }
}

/** The promise of it all, looked at whenever something is about to happen. */
function troubleOf(replicas: readonly Replica[]): string | undefined {
  const leading = replicas.filter(({ election }) => election.isLeader)
  const working = replicas.filter((replica) => replica.isWorking())
  if (leading.length <= 1 && working.length <= 1) return undefined
  const text = (some: Replica[]) => some.map(({ election }) => election.identity).join(' and ')
  return `these lead: ${text(leading)}; these work: ${text(working)}`
}

/** A process that can freeze, and whose clock is its own. */
class VirtualProcess {
  readonly host: Host
  /** Whether it ever was: then its work may have been told too late. */
  wasFrozen = false
  #frozen: Promise<void> | undefined
  thaw = (): void => undefined

  constructor(host: VirtualHost, { skewMs = 0, rate = 1 }: ReplicaOptions) {
    // A promise stays with the world until this process runs.
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
  const election = new Election({
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
    term.isOver = true
  }
  const isWorking = (): boolean => {
    const term = terms.at(-1)
    if (term === undefined || term.isOver === true || process.isFrozen) return false
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

test('the first replica creates the Lease as client-go writes it, and renews with one request each', async () => {
  await using it = await world()
  const first = it.start()
  await it.host.settle()
  const created = await it.lease()
  expect(created?.spec).toEqual({
    holderIdentity: 'replica-0',
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
    acquireTime: expect.stringMatching(/^2030-01-01T00:00:00\.000\d{3}Z$/) as string,
    renewTime: created?.spec.acquireTime,
  })
  expect(first.election.isLeader).toBe(true)
  const seen = it.cluster.trace.length
  await it.host.sleep(20_000)
  const verbs = it.cluster.trace.slice(seen).map(({ verb }) => verb)
  expect(new Set(verbs)).toEqual(new Set(['update']))
  expect(verbs.length).toBeGreaterThanOrEqual(8)
  expect(verbs.length).toBeLessThanOrEqual(10)
  const renewed = await it.lease()
  expect(renewed?.spec).toMatchObject({
    acquireTime: created?.spec.acquireTime,
    leaseTransitions: 0,
  })
  expect(renewed?.spec.renewTime).not.toBe(created?.spec.renewTime)
  expect(first.changes).toEqual([{ isLeader: true, holder: 'replica-0' }])
})

test('of three replicas one leads, and the others know who it is', async () => {
  await using it = await world()
  const all = [it.start(), it.start(), it.start()]
  await it.host.sleep(60_000)
  expect(it.leaders()).toHaveLength(1)
  expect(new Set(all.map(({ election }) => election.holder))).toEqual(new Set(it.leaders()))
  expect(all.flatMap(({ terms }) => terms)).toHaveLength(1)
  // Losing the race to create it is nothing to report.
  expect(all.flatMap(({ failures }) => failures)).toEqual([])
})

test('a replica that stops ends its work, then releases the Lease, and the next one need not wait for it to expire', async () => {
  await using it = await world()
  const first = it.start({ endMs: 3000 })
  await it.host.sleep(5000)
  const second = it.start()
  await it.host.sleep(1000)
  first.stop()
  await it.host.sleep(2999)
  expect(first.election.isLeader).toBe(true)
  await first.ended
  expect(first.election.isLeader).toBe(false)
  expect((await it.lease())?.spec).toMatchObject({
    holderIdentity: '',
    leaseDurationSeconds: 1,
    leaseTransitions: 0,
  })
  await it.host.sleep(4500)
  expect(it.leaders()).toEqual(['replica-1'])
  expect((await it.lease())?.spec).toMatchObject({
    holderIdentity: 'replica-1',
    leaseDurationSeconds: 15,
    leaseTransitions: 1,
  })
  expect(second.changes.at(-1)).toEqual({ isLeader: true, holder: 'replica-1' })
  expect(first.changes.at(-1)).toEqual({ isLeader: false, holder: '' })
})

test('the Lease is renewed while the work of a stopped replica takes its time to end', async () => {
  await using it = await world()
  const first = it.start({ endMs: 60_000 })
  await it.host.sleep(5000)
  const second = it.start()
  first.stop()
  await it.host.sleep(55_000)
  expect(first.election.isLeader).toBe(true)
  expect(second.terms).toEqual([])
  await it.host.sleep(15_000)
  expect(it.leaders()).toEqual(['replica-1'])
})

test('without releaseOnStop the next one waits until the Lease expires', async () => {
  await using it = await world()
  const first = it.start({ releaseOnStop: false })
  await it.host.sleep(5000)
  it.start()
  first.stop()
  await first.ended
  await it.host.sleep(12_000)
  expect(it.leaders()).toEqual([])
  await it.host.sleep(8000)
  expect(it.leaders()).toEqual(['replica-1'])
})

test('a holder that dies without releasing is followed when its Lease has expired, not before', async () => {
  await using it = await world()
  const first = it.start()
  await it.host.sleep(5000)
  const second = it.start()
  await it.host.sleep(5000)
  first.freeze()
  const renewTime = (await it.lease())?.spec.renewTime ?? ''
  await it.host.sleep(25_000)
  const [term] = second.terms
  const renewedMs = Date.parse(renewTime) - Date.UTC(2030, 0, 1)
  expect((term?.fromMs ?? 0) - renewedMs).toBeGreaterThanOrEqual(15_000)
  expect((term?.fromMs ?? 0) - renewedMs).toBeLessThanOrEqual(24_000)
  expect((await it.lease())?.spec.leaseTransitions).toBe(1)
})

test('a frozen holder finds itself deposed when it wakes up', async () => {
  await using it = await world()
  const first = it.start()
  await it.host.sleep(5000)
  const second = it.start()
  await it.host.sleep(5000)
  first.freeze()
  await it.host.sleep(30_000)
  expect(it.leaders()).toEqual(['replica-1'])
  first.thaw()
  expect(first.election.isLeader).toBe(false)
  await it.host.settle()
  expect(first.terms[0]?.reason).toMatchObject({ code: 'LEADERSHIP_LOST' })
  await it.host.sleep(30_000)
  expect(it.leaders()).toEqual(['replica-1'])
  expect(second.terms).toHaveLength(1)
})

test('a wall clock that is hours wrong changes nothing', async () => {
  for (const skewMs of [-7_200_000, 7_200_000]) {
    await using it = await world()
    const first = it.start({ skewMs })
    await it.host.sleep(5000)
    const second = it.start()
    it.start({ skewMs: -skewMs })
    await it.host.sleep(120_000)
    expect(it.leaders()).toEqual(['replica-0'])
    expect(first.terms).toHaveLength(1)
    expect(second.terms).toHaveLength(0)
  }
})

test('a wall clock that stands still does not make renewals invisible', async () => {
  await using it = await world()
  it.start({ host: { ...it.host, env: () => undefined, now: () => Date.UTC(2030, 0, 1) } })
  await it.host.sleep(5000)
  const second = it.start()
  await it.host.sleep(300_000)
  expect(second.terms).toEqual([])
})

test('a replica without an API loses after renewDeadline, before another one can take over, and follows again later', async () => {
  let isCut = false
  await using it = await world({
    intercept: ({ url }) => (isCut && url?.includes('127.0.0.1') === true ? 'drop' : undefined),
  })
  const first = it.start()
  await it.host.sleep(5000)
  const second = it.start()
  await it.host.sleep(5000)
  isCut = true
  await it.host.sleep(40_000)
  const lostMs = first.terms[0]?.untilMs ?? 0
  expect(first.terms[0]?.reason).toMatchObject({ code: 'LEADERSHIP_LOST' })
  expect(lostMs).toBeLessThanOrEqual(10_000 + 10_000)
  expect((second.terms[0]?.fromMs ?? 0) - lostMs).toBeGreaterThanOrEqual(5000)
  expect(first.failures).toContain('WRITE_OUTCOME_UNKNOWN')
  isCut = false
  second.stop()
  await it.host.sleep(15_000)
  expect(it.leaders()).toEqual(['replica-0'])
  expect(first.changes.map(({ isLeader }) => isLeader)).toContain(false)
  expect(first.terms).toHaveLength(2)
})

test('an outage for all that is shorter than renewDeadline is not noticed by the work', async () => {
  let isCut = false
  await using it = await world({ intercept: () => (isCut ? 'drop' : undefined) })
  const first = it.start()
  await it.host.sleep(5000)
  it.start()
  await it.host.sleep(5000)
  isCut = true
  await it.host.sleep(2000)
  isCut = false
  await it.host.sleep(60_000)
  expect(first.terms).toHaveLength(1)
  expect(it.leaders()).toEqual(['replica-0'])
})

test('after a long outage for all, the work ends, and goes on at one replica when it is over', async () => {
  let isCut = false
  await using it = await world({ intercept: () => (isCut ? 'cut' : undefined) })
  const all = [it.start(), it.start(), it.start()]
  await it.host.sleep(20_000)
  isCut = true
  await it.host.sleep(11_000)
  expect(it.leaders()).toEqual([])
  await it.host.sleep(120_000)
  isCut = false
  await it.host.sleep(20_000)
  expect(it.leaders()).toHaveLength(1)
  expect(all.flatMap(({ terms }) => terms)).toHaveLength(2)
})

test('a renewal whose answer is lost is looked up, and goes on as if it had come', async () => {
  const lost: VirtualEvent[] = []
  let isCut = false
  await using it = await world({
    intercept: (event) => {
      if (!isCut || event.kind !== 'response' || event.method !== 'PUT' || lost.length > 0) return
      lost.push(event)
      return 'cut'
    },
  })
  const first = it.start()
  await it.host.sleep(5000)
  isCut = true
  const before = await it.lease()
  await it.host.sleep(60_000)
  expect(lost).toHaveLength(1)
  expect(first.failures).toEqual(['WRITE_OUTCOME_UNKNOWN'])
  expect(first.terms).toHaveLength(1)
  expect((await it.lease())?.spec.acquireTime).toBe(before?.spec.acquireTime)
})

test('leadership counts from when a renewal was sent, however late its answer came', async () => {
  let sentMs = Infinity
  await using it = await world({
    intercept: ({ kind, method, atMs }) => {
      if (atMs < 10_000 || method !== 'PUT') return undefined
      if (kind === 'connect' && sentMs === Infinity) {
        sentMs = atMs
        return undefined
      }
      // The first answer takes long, and no other request arrives.
      if (kind === 'response') return { delay: 4900 }
      return kind === 'connect' ? 'drop' : undefined
    },
  })
  const first = it.start()
  await it.host.sleep(60_000)
  expect(first.terms[0]?.untilMs).toBe(sentMs + 10_000)
})

test('an acquisition whose answer is lost is found to be ours', async () => {
  let cuts = 0
  await using it = await world({
    intercept: ({ kind, method }) =>
      kind === 'response' && method === 'POST' && (cuts += 1) === 1 ? 'cut' : undefined,
  })
  const first = it.start()
  await it.host.sleep(5000)
  expect(first.failures).toEqual(['WRITE_OUTCOME_UNKNOWN'])
  expect(it.leaders()).toEqual(['replica-0'])
  expect((await it.lease())?.spec.leaseTransitions).toBe(0)
})

test('a replica that is stopped while its acquisition has no answer leaves no Lease behind that others wait for', async () => {
  await using it = await world({
    intercept: ({ kind, method }) =>
      kind === 'response' && method === 'POST' ? 'drop' : undefined,
  })
  const first = it.start()
  await it.host.sleep(1000)
  expect((await it.lease())?.spec.holderIdentity).toBe('replica-0')
  first.stop()
  await first.ended
  expect((await it.lease())?.spec.holderIdentity).toBe('')
  expect(first.terms).toEqual([])
})

test('a release whose answer is lost is looked up and not repeated', async () => {
  let isCut = false
  await using it = await world({
    intercept: ({ kind, method }) =>
      isCut && kind === 'response' && method === 'PUT' ? 'cut' : undefined,
  })
  const first = it.start()
  await it.host.sleep(5000)
  isCut = true
  first.stop()
  await first.ended
  expect((await it.lease())?.spec.holderIdentity).toBe('')
  expect(first.failures).toEqual([])
})

test('a release that is not possible is reported and does not keep a process from ending', async () => {
  let isCut = false
  await using it = await world({ intercept: () => (isCut ? 'drop' : undefined) })
  const first = it.start()
  await it.host.sleep(5000)
  isCut = true
  const beforeMs = it.host.monotonicMs()
  first.stop()
  await first.ended
  expect(it.host.monotonicMs() - beforeMs).toBeLessThanOrEqual(10_000)
  expect(first.failures.length).toBeGreaterThan(0)
  expect(it.leaders()).toEqual([])
})

test('a Lease that is deleted is made again by its holder, and others that knew it do not jump in', async () => {
  await using it = await world()
  const first = it.start()
  await it.host.sleep(5000)
  const second = it.start()
  await it.host.sleep(5000)
  const before = await it.lease()
  for (let times = 0; times < 10; times += 1) {
    await it.admin.delete(Lease, 'app')
    await it.host.sleep(3000)
  }
  expect(first.terms).toHaveLength(1)
  expect(first.terms[0]?.untilMs).toBeUndefined()
  expect(second.terms).toEqual([])
  const after = await it.lease()
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
  expect(after?.spec.acquireTime).toBe(before?.spec.acquireTime)
  first.freeze()
  await it.admin.delete(Lease, 'app')
  await it.host.sleep(20_000)
  expect(it.leaders()).toEqual(['replica-1'])
})

test('a Lease whose labels and durations are edited by hand stays with its holder', async () => {
  await using it = await world()
  const first = it.start()
  await it.host.sleep(5000)
  const second = it.start()
  for (let times = 0; times < 20; times += 1) {
    const spec = { leaseDurationSeconds: 1, renewTime: '2020-01-01T00:00:00.000000Z' }
    const labels = { edited: String(times) }
    await it.admin.patch(Lease, 'app', { merge: { metadata: { labels }, spec } })
    await it.host.sleep(1900)
  }
  await it.host.sleep(3000)
  expect(first.terms).toHaveLength(1)
  expect(first.terms[0]?.untilMs).toBeUndefined()
  expect(second.terms).toEqual([])
  expect(await it.lease()).toMatchObject({
    metadata: { labels: { edited: '19' } },
    spec: { leaseDurationSeconds: 15, holderIdentity: 'replica-0' },
  })
})

test('a Lease that is given to somebody else by hand is lost at the next renewal', async () => {
  await using it = await world()
  const first = it.start()
  await it.host.sleep(5000)
  await it.admin.patch(Lease, 'app', { merge: { spec: { holderIdentity: 'a person' } } })
  await it.host.sleep(2500)
  expect(first.terms[0]?.reason).toMatchObject({
    code: 'LEADERSHIP_LOST',
    message: expect.stringContaining('held by "a person"') as string,
  })
  expect(it.leaders()).toEqual([])
  expect(first.changes.at(-1)).toEqual({ isLeader: false, holder: 'a person' })
  await it.host.sleep(20_000)
  expect(it.leaders()).toEqual(['replica-0'])
  expect((await it.lease())?.spec.leaseTransitions).toBe(1)
})

test('a holder that is removed by hand is lost too, and nobody who saw it begins before it has noticed', async () => {
  await using it = await world()
  const first = it.start()
  await it.host.sleep(5000)
  const second = it.start()
  await it.host.sleep(5000)
  await it.admin.patch(Lease, 'app', { merge: { spec: null } })
  await it.host.sleep(2500)
  expect(first.terms[0]?.reason).toMatchObject({ code: 'LEADERSHIP_LOST' })
  await it.host.sleep(30_000)
  expect(it.leaders()).toHaveLength(1)
  expect([...first.terms, ...second.terms]).toHaveLength(2)
})

test('a Lease without a holder that was made in advance is taken at once', async () => {
  await using it = await world()
  await it.admin.create(Lease, { metadata: { name: 'app', labels: { mine: 'yes' } }, spec: {} })
  it.start()
  await it.host.settle()
  expect(it.leaders()).toEqual(['replica-0'])
  expect((await it.lease())?.metadata.labels).toEqual({ mine: 'yes' })
})

test('two replicas that were given the same identity do not both lead', async () => {
  await using it = await world()
  const identity = 'twin'
  const first = it.start({ identity })
  await it.host.sleep(5000)
  const second = it.start({ identity })
  await it.host.sleep(60_000)
  expect(it.leaders()).toEqual([identity])
  expect(second.terms).toEqual([])
  first.stop()
  await it.host.sleep(5000)
  expect(second.terms).toHaveLength(1)
})

test('work that returns ends the election and releases the Lease; so does work that fails', async () => {
  await using it = await world()
  const election = new Election({
    host: it.host,
    client: it.admin,
    name: 'app',
    namespace: 'default',
  })
  expect(election.identity).toMatch(/^[0-9a-f-]{36}$/)
  const { signal } = new AbortController()
  await election.run(async () => {
    await expect(election.run(async () => undefined, signal)).rejects.toThrow(/already stands/)
  }, signal)
  expect((await it.lease())?.spec).toMatchObject({ holderIdentity: '', leaseTransitions: 0 })
  const failing = election.run(async () => {
    throw new Error('broken')
  }, signal)
  await expect(failing).rejects.toThrow('broken')
  expect((await it.lease())?.spec).toMatchObject({ holderIdentity: '', leaseTransitions: 1 })
  await election.run(async () => expect.unreachable(), AbortSignal.abort())
})

test('what work throws because its signal was aborted is not the end of the election', async () => {
  await using it = await world()
  const failures: unknown[] = []
  const stopping = new AbortController()
  const errors = [
    new SetpointError('ABORTED', 'expected'),
    new SetpointError('WRITE_OUTCOME_UNKNOWN', 'worth knowing'),
  ]
  let runs = 0
  const onFailure = (error: unknown): void => void failures.push(error)
  const election = new Election({ host: it.host, client: it.admin, name: 'app', onFailure })
  const ended = election.run(async (signal) => {
    runs += 1
    await it.host.sleep(Infinity, signal).catch(() => undefined)
    throw errors[runs - 1] ?? new Error('more runs than expected')
  }, stopping.signal)
  await it.host.sleep(5000)
  await it.admin.patch(Lease, 'app', { merge: { spec: { holderIdentity: '' } } })
  await it.host.sleep(30_000)
  stopping.abort()
  await ended
  expect(runs).toBe(2)
  expect(failures).toEqual([errors[1]])
})

const nowhere: Connection = {
  server: 'https://nowhere',
  credentials: fixedCredentials({}),
  namespace: 'default',
  name: 'nowhere',
}

test('an identity is the name of the pod unless given', () => {
  const host = virtualHost({ seed: 1, env: { HOSTNAME: 'app-7d9' } })
  const client = new Client(host, nowhere)
  expect(new Election({ host, client, name: 'app' }).identity).toBe('app-7d9')
  host.stop()
})

test('times with which two could lead, or nobody for long, are refused', () => {
  const host = virtualHost({ seed: 1 })
  const client = new Client(host, nowhere)
  const problem = (options: Partial<ElectionOptions>): unknown => {
    try {
      return new Election({ host, client, name: 'app', ...options })
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
  expect(problem({ retryPeriod: 9000 })).toContain('no renewal would be in time')
  expect(problem({ retryPeriod: 0 })).toContain('it must be positive')
  expect(problem({ identity: '' })).toContain('identity is empty')
  host.stop()
})

/** What happens to one request, or to the answer of it, in a bad network. */
function misfortune(random: () => number): Verdict {
  const kinds: Verdict[] = ['drop', 'cut', { delay: 20_000 * random() }, { delay: 3000 * random() }]
  return kinds[Math.floor(random() * kinds.length)]
}

const faultsArbitrary = fc.record({
  seed: fc.nat(),
  /** How likely it is that something happens to a step of a request. */
  badness: fc.constantFrom(0, 0.02, 0.1, 0.3),
  clocks: fc.array(
    fc.record({
      skewMs: fc.integer({ min: -10_000_000, max: 10_000_000 }),
      rate: fc.double({ min: 0.9, max: 1.1, noNaN: true }),
    }),
    { minLength: 2, maxLength: 3 },
  ),
  /** What happens, one after the other: to whom, what, and the time until the next. */
  plan: fc.array(
    fc.record({
      who: fc.nat({ max: 2 }),
      what: fc.constantFrom('cut off', 'reconnect', 'freeze', 'thaw', 'stop', 'stop'),
      restMs: fc.integer({ min: 0, max: 25_000 }),
    }),
    { maxLength: 12 },
  ),
})

test('whatever the network does, never two lead or work at once, and in the end one does', async () => {
  let terms = 0
  const property = fc.asyncProperty(faultsArbitrary, async ({ seed, badness, clocks, plan }) => {
    const random = seededRandom(seed)
    const cutOff = new Set<string>()
    let isOver = false
    await using it = await world({
      seed,
      intercept: ({ url = '' }) => {
        if (isOver) return undefined
        if ([...cutOff].some((name) => url.includes(name))) return 'drop'
        return random.random() < badness ? misfortune(() => random.random()) : undefined
      },
    })
    const begin = (clock: ReplicaOptions) => it.start({ ...clock, endMs: 2000 })
    const slots = clocks.map((clock) => ({ clock, replica: begin(clock) }))
    for (const { who, what, restMs } of plan) {
      const slot = slots[who % slots.length]
      const name = names[it.replicas.indexOf(slot?.replica as Replica) % names.length] ?? ''
      if (slot === undefined) continue
      if (what === 'cut off') cutOff.add(name)
      if (what === 'reconnect') cutOff.delete(name)
      if (what === 'freeze') slot.replica.freeze()
      if (what === 'thaw') slot.replica.thaw()
      if (what === 'stop') {
        slot.replica.stop()
        slot.replica = begin(slot.clock)
      }
      await it.host.sleep(restMs)
    }
    isOver = true
    for (const replica of it.replicas) replica.thaw()
    await it.host.sleep(80_000)
    expect(it.leaders()).toHaveLength(1)
    expect(it.replicas.filter((replica) => replica.isWorking())).toHaveLength(1)
    terms += it.replicas.flatMap((replica) => replica.terms).length
  })
  await fc.assert(property, { numRuns: 60 })
  expect(terms).toBeGreaterThan(90)
}, 60_000)
