import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readBytes } from 'setpoint/host'
import type { Answer } from '../../test/conformance/conformance-case.ts'
import { runCase } from '../../test/conformance/run-case.ts'
import type { Target } from '../../test/conformance/target.ts'
import { customKinds, define } from './custom-kind.ts'
import { fuzzScript } from './fuzz-script.ts'
import type { FuzzStep } from './fuzz-step.ts'
import { fuzzedKinds } from './fuzzed-kinds.ts'

/** What the embedded server did wrong under load. */
interface Endurance {
  readonly scripts: number
  readonly requests: number
  readonly problems: readonly string[]
  /** The longest time until an answer began. */
  readonly slowestMs: number
  /** The heap after the first quarter of the requests, and at the end, in MiB. */
  readonly heapMiB: readonly [number, number]
}

const answerMsMax = 1000
/** Statistics and caches of the engine grow for a while. */
const heapGrowthMiBMax = 60
const problemsMax = 20
const customKindsMax = 24
const answerBytesMax = 32 * 1024 * 1024

/** Internal errors that a real server answers with too. */
const expectedErrors = [
  /missing in 'object has no apiVersion field'/,
  /replicas field .* does not exist/,
  /etcdserver: request is too large/,
]

/** Sends the scripts to the embedded server only, and checks that it stays well. */
export async function endure(
  target: Target,
  { seed, requests: wanted }: { seed: string; requests: number },
): Promise<Endurance> {
  const custom = customKinds(seed, customKindsMax)
  await define(target, custom)
  const kinds = { builtin: fuzzedKinds(), custom }
  const problems: string[] = []
  const timed = timedTarget(target)
  let [scripts, requests] = [0, 0]
  let heapBefore: number | undefined
  while (requests < wanted && problems.length < problemsMax) {
    const { steps, cleanup } = fuzzScript(seed, scripts, kinds)
    const entry = { name: String(scripts), steps: steps.map(({ step }) => step), cleanup }
    const namespace = `fuzz-${scripts}`
    const about = `--seed ${seed} --script ${scripts}`
    timed.slowestMs = 0
    try {
      const answers = await runCase(timed, entry, namespace)
      problems.push(...unexplained(answers).map((text) => `${about}: ${text}`))
    } catch (error) {
      problems.push(`${about}: ${String(error)}`)
    }
    if (timed.slowestMs > answerMsMax) {
      problems.push(`${about}: an answer took ${Math.round(timed.slowestMs)} ms`)
    }
    timed.slowestOfAllMs = Math.max(timed.slowestOfAllMs, timed.slowestMs)
    await removeAll(target, collectionsOf(steps), namespace)
    scripts += 1
    requests += steps.length
    if (heapBefore === undefined && requests >= wanted / 4) heapBefore = await heapMiB(target)
  }
  const heap: [number, number] = [heapBefore ?? 0, await heapMiB(target)]
  if (heap[1] - heap[0] > heapGrowthMiBMax) {
    problems.push(`the heap grew from ${heap[0]} MiB to ${heap[1]} MiB`)
  }
  return { scripts, requests, problems, slowestMs: timed.slowestOfAllMs, heapMiB: heap }
}

function unexplained(answers: readonly Answer[]): string[] {
  return answers.flatMap(({ code, body }) => {
    const text = JSON.stringify(body)
    // Others are plain errors of a real server: an invalid revision, an invalid configuration.
    if (code !== 500 || !text.includes('"reason":"InternalError"')) return []
    if (expectedErrors.some((error) => error.test(text))) return []
    return [`an internal error: ${text}`]
  })
}

interface TimedTarget extends Target {
  slowestMs: number
  slowestOfAllMs: number
}

function timedTarget(target: Target): TimedTarget {
  const timed: TimedTarget = {
    ...target,
    slowestMs: 0,
    slowestOfAllMs: 0,
    network: {
      ...target.network,
      request: async (request) => {
        // The time of the processor: other programs of the machine do not count.
        const begin = process.cpuUsage()
        const response = await target.network.request(request)
        const { user, system } = process.cpuUsage(begin)
        timed.slowestMs = Math.max(timed.slowestMs, (user + system) / 1000)
        return response
      },
    },
  }
  return timed
}

/**
 * No controller removes the content of a namespace here. What a script leaves behind must not count
 * as growth.
 */
async function removeAll(
  target: Target,
  collections: ReadonlySet<string>,
  namespace: string,
): Promise<void> {
  const send = async (method: string, path: string, body?: string): Promise<void> => {
    const { network, url, tls } = target
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body }
    const address = url + path.replaceAll('{ns}', namespace)
    const response = await network.request({ method, url: address, headers, tls, ...sent })
    await readBytes(response.body, answerBytesMax)
  }
  for (const collection of collections) await send('DELETE', `${collection}?gracePeriodSeconds=0`)
  const finalized = JSON.stringify({ metadata: { name: namespace }, spec: { finalizers: [] } })
  await send('PUT', '/api/v1/namespaces/{ns}/finalize', finalized)
}

/** The collections of the namespace that a script uses. */
function collectionsOf(steps: readonly FuzzStep[]): Set<string> {
  const accounts = '/api/v1/namespaces/{ns}/serviceaccounts'
  const paths = steps.map(({ step }) => ('method' in step ? step.path : ''))
  return new Set([
    accounts,
    ...paths.flatMap((path) => /^\/apis?\/.*\/namespaces\/\{ns\}\/[a-z]+/.exec(path) ?? []),
  ])
}

async function heapMiB(target: Target): Promise<number> {
  await target.compact()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return Math.round(process.memoryUsage().heapUsed / 1024 / 1024)
}
