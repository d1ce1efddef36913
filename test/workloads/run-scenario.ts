import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import { eventEntries } from './event-entries.ts'
import { collectionPath } from './kinds.ts'
import { counted, normalObject, type Known } from './normalise.ts'
import type { ApiObject } from './observed.ts'
import { isInState, movedStatus, type PodObject } from './pod-life.ts'
import type { Entry } from './recording.ts'
import type {
  AnswerStep,
  PodsStep,
  Scenario,
  Selection,
  Step,
  Target,
  UntilStep,
} from './scenario.ts'
import { waitUntilStable, type World, type WorldAnswer, type WorldRequest } from './world.ts'

/** Runs a scenario in its own namespace and returns its results. */
export async function runScenario(
  world: World,
  scenario: Scenario,
  namespace: string,
): Promise<readonly Entry[]> {
  const run = new ScenarioRun(world, scenario, namespace)
  await run.open()
  const steps = JSON.parse(
    JSON.stringify(scenario.steps).replaceAll('{ns}', namespace),
  ) as readonly Step[]
  for (const [index, step] of steps.entries()) {
    try {
      await run.step(step)
    } catch (error) {
      const what = `step ${index + 1} (${Object.keys(step).join(', ')}): ${String(error)}`
      throw new StoppedScenario(what, run.entries)
    }
  }
  return run.end()
}

/** A scenario that failed at a step, with its results until then. */
export class StoppedScenario extends Error {
  readonly entries: readonly Entry[]

  constructor(message: string, entries: readonly Entry[]) {
    super(message)
    this.entries = entries
  }
}

class ScenarioRun {
  readonly #world: World
  readonly #scenario: Scenario
  readonly #namespace: string
  readonly entries: Entry[] = []
  #addresses = 0

  constructor(world: World, scenario: Scenario, namespace: string) {
    this.#world = world
    this.#scenario = scenario
    this.#namespace = namespace
  }

  async open(): Promise<void> {
    this.#world.observed.open(this.#namespace, this.#world.host.monotonicMs())
    await this.#succeed({
      method: 'POST',
      path: collectionPath('Namespace'),
      body: { metadata: { name: this.#namespace } },
    })
    await waitUntilStable(this.#world, this.#namespace)
  }

  async end(): Promise<readonly Entry[]> {
    const events = await this.#list('Event')
    // Controllers handle nodes differently in large clusters, so the nodes are deleted.
    for (const { metadata } of await this.#list('Node')) {
      await this.#succeed({ method: 'DELETE', path: `${collectionPath('Node')}/${metadata.name}` })
    }
    return [...this.entries, ...eventEntries(events, this.#known())]
  }

  async step(step: Step): Promise<void> {
    if ('read' in step) return this.#read(step.read)
    await this.#act(await this.#withIdentities(step))
    await waitUntilStable(this.#world, this.#namespace)
  }

  async #act(step: Step): Promise<void> {
    if ('together' in step) for (const each of step.together) await this.#act(each)
    else if ('create' in step) await this.#create(step.create)
    else if ('patch' in step) {
      const { with: body, type = 'merge', subresource = '' } = step
      const contentType =
        type === 'merge' ? 'application/merge-patch+json' : 'application/strategic-merge-patch+json'
      for (const path of await this.#paths(step.patch)) {
        const below = subresource === '' ? '' : `/${subresource}`
        await this.#succeed({ method: 'PATCH', path: path + below, body, contentType })
      }
    } else if ('scale' in step) {
      const [path = ''] = await this.#paths(step.scale)
      await this.#succeed({
        method: 'PATCH',
        path: `${path}/scale`,
        body: { spec: { replicas: step.to } },
        contentType: 'application/merge-patch+json',
      })
    } else if ('remove' in step) await this.#remove(step)
    else if ('pods' in step) await this.#move(step)
    else if ('until' in step) await this.#until(step)
    else if ('answer' in step) await this.#answer(step)
    else if ('passSeconds' in step) await this.#world.host.sleep(step.passSeconds * 1_000)
    else await this.#read(step.read)
  }

  /** `{uid of Kind/name}` in a step is replaced by the uid of an existing object. */
  async #withIdentities(step: Step): Promise<Step> {
    let text = JSON.stringify(step)
    for (const [whole, target = ''] of text.matchAll(/\{uid of ([^}]+)\}/g)) {
      const [path = ''] = await this.#paths(target)
      const { body } = await this.#succeed({ method: 'GET', path })
      text = text.replaceAll(whole, (body as unknown as ApiObject).metadata.uid)
    }
    return JSON.parse(text) as Step
  }

  async #create(object: JsonObject): Promise<void> {
    const path = collectionPath(object['kind'] as string, this.#namespace)
    const { status, ...rest } = object
    const { body } = await this.#succeed({ method: 'POST', path, body: rest })
    if (!isJsonObject(status)) return
    const { metadata } = body as unknown as ApiObject
    await this.#succeed({
      method: 'PATCH',
      path: `${path}/${metadata.name}/status`,
      body: { status },
      contentType: 'application/merge-patch+json',
    })
  }

  async #remove(step: Extract<Step, { remove: Target }>): Promise<void> {
    const { propagation, graceSeconds } = step
    for (const path of await this.#paths(step.remove)) {
      await this.#succeed({
        method: 'DELETE',
        path,
        body: {
          ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
          ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
        },
      })
    }
  }

  async #move(step: PodsStep): Promise<void> {
    const pods = (await this.#select({ kind: 'Pod', ...step.pods })) as PodObject[]
    if (pods.length === 0) throw new Error(`no pods are ${JSON.stringify(step.pods)}`)
    for (const pod of pods) {
      const path = `${collectionPath('Pod', this.#namespace)}/${pod.metadata.name}`
      if (step.to === 'gone' || step.to === 'deleted') {
        const body = step.to === 'gone' ? { gracePeriodSeconds: 0 } : {}
        await this.#succeed({ method: 'DELETE', path, body })
        continue
      }
      if (step.on !== undefined && pod.spec.nodeName === undefined)
        await this.#bind(path, pod, step.on)
      this.#addresses += 1
      const moment = { time: this.#time(), podIP: `10.244.0.${this.#addresses}` }
      await this.#succeed({
        method: 'PATCH',
        path: `${path}/status`,
        body: { status: movedStatus(pod, step, moment) },
        contentType: 'application/strategic-merge-patch+json',
        agent: 'kubelet',
      })
    }
  }

  async #bind(path: string, { metadata }: PodObject, node: string): Promise<void> {
    const body = {
      metadata: { name: metadata.name },
      target: { kind: 'Node', name: `${this.#namespace}-${node}` },
    }
    await this.#succeed({ method: 'POST', path: `${path}/binding`, body, agent: 'kube-scheduler' })
  }

  #time(): string {
    return new Date(this.#world.host.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  }

  async #until({ until, path, is, withinSeconds = 45 }: UntilStep): Promise<void> {
    const { host, send } = this.#world
    const [object = ''] = await this.#paths(until)
    const endMs = host.monotonicMs() + withinSeconds * 1_000
    for (;;) {
      const { code, body } = await send({ method: 'GET', path: object })
      const found = code === 404 ? undefined : path === undefined ? true : valueAt(body, path)
      if (is === 'absent' ? found === undefined : found !== undefined && matchesExpected(found, is))
        return
      if (host.monotonicMs() > endMs) {
        throw new Error(`${until} ${String(path)} is ${JSON.stringify(found)} still`)
      }
      await host.sleep(100)
    }
  }

  async #answer({ answer, method, target, subresource, body }: AnswerStep): Promise<void> {
    for (const path of await this.#paths(target)) {
      const found = await this.#world.send({
        method,
        path: subresource === undefined ? path : `${path}/${subresource}`,
        ...(body && { body: withName(body, path) }),
        ...(method === 'PATCH' && { contentType: 'application/merge-patch+json' }),
      })
      const shown = normalObject(found.body, this.#known())
      this.entries.push({ answer, code: found.code, body: shown })
    }
  }

  async #read(label: string): Promise<void> {
    for (const kind of this.#scenario.kinds) {
      const objects = (await this.#list(kind)).map((object) => normalObject(object, this.#known()))
      if (objects.length === 0) this.entries.push({ read: label, kind, times: 0, object: {} })
      for (const { item, times } of counted(objects)) {
        this.entries.push({ read: label, kind, times, object: item })
      }
    }
  }

  /** The objects of the scenario of a kind; cluster-scoped objects by their name. */
  async #list(kind: string): Promise<ApiObject[]> {
    const path = collectionPath(kind, this.#namespace)
    const { body } = await this.#succeed({ method: 'GET', path })
    const items = (body as unknown as { items: ApiObject[] }).items
    return items.filter(
      ({ metadata }) => metadata.namespace !== undefined || metadata.name.includes(this.#namespace),
    )
  }

  async #paths(target: Target): Promise<string[]> {
    if (typeof target === 'string') {
      const [kind = '', name, namespace = this.#namespace] = target.split('/')
      const collection = collectionPath(kind, namespace)
      return [name === undefined ? collection : `${collection}/${name}`]
    }
    const objects = await this.#select(target)
    if (objects.length === 0) throw new Error(`no object matches ${JSON.stringify(target)}`)
    const collection = collectionPath(target.kind ?? 'Pod', this.#namespace)
    return objects.map(({ metadata }) => `${collection}/${metadata.name}`)
  }

  async #select({ kind = 'Pod', of, which, first, last }: Selection): Promise<ApiObject[]> {
    const path = `${collectionPath(kind, this.#namespace)}?labelSelector=${encodeURIComponent(of)}`
    const { body } = await this.#succeed({ method: 'GET', path })
    const { items } = body as unknown as { items: ApiObject[] }
    const found = items
      .filter((object) => kind !== 'Pod' || isInState(object as PodObject, which))
      .sort((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1))
    if (first !== undefined) return found.slice(0, first)
    return last === undefined ? found : found.slice(-last)
  }

  async #succeed(request: WorldRequest): Promise<WorldAnswer> {
    const answer = await this.#world.send(request)
    if (answer.code < 300) return answer
    const { message } = answer.body
    throw new Error(`${request.method} ${request.path}: ${answer.code} ${JSON.stringify(message)}`)
  }

  #known(): Known {
    const { observed } = this.#world
    const namespace = this.#namespace
    return {
      namespace,
      hashes: observed.hashes(namespace),
      ownerOf: (uid) => observed.ownerOf(uid),
    }
  }
}

function ageKey({ metadata }: ApiObject): string {
  return `${metadata.creationTimestamp} ${metadata.name}`
}

function matchesExpected(found: JsonValue, expected: JsonValue | undefined): boolean {
  return expected === undefined || jsonEquals(found, expected)
}

/** An eviction must contain the name of its pod, which may be generated. */
function withName(body: JsonObject, path: string): JsonObject {
  if (body['kind'] !== 'Eviction') return body
  return { ...body, metadata: { name: path.slice(path.lastIndexOf('/') + 1) } }
}

function valueAt(value: JsonValue, path: string | readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value
  for (const step of typeof path === 'string' ? path.split('.') : path) {
    if (Array.isArray(at)) at = at[Number(step)] ?? at.find((item) => isCalled(item, step))
    else if (isJsonObject(at)) at = at[step]
    else return undefined
  }
  return at
}

function isCalled(item: JsonValue, name: string): boolean {
  return isJsonObject(item) && (item['type'] === name || item['name'] === name)
}
