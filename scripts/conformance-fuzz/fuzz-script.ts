import type { JsonObject } from 'setpoint/schema'
import type { Request } from '../../test/conformance/conformance-case.ts'
import { Choices } from './choices.ts'
import type { FuzzScript, FuzzStep } from './fuzz-step.ts'
import type { FuzzedKind } from './fuzzed-kinds.ts'
import { mutate } from './mutations.ts'
import { oddRequest } from './odd-requests.ts'
import { bodyHeaders, readHeaders } from './random-headers.ts'
import { randomPatch } from './random-patches.ts'
import { randomQuery } from './random-queries.ts'
import { subresourceStep } from './subresource-step.ts'

/** The headers of answers that must be equal. */
const comparedHeaders = ['allow', 'location', 'retry-after', 'vary', 'x-content-type-options']

/** The script of a number. */
export function fuzzScript(seed: string, number: number, kinds: FuzzKinds): FuzzScript {
  const choices = new Choices(`${seed}/${number}`)
  const kind = choices.one(choices.isLikely(customShare) ? kinds.custom : kinds.builtin)
  const builder = new ScriptBuilder(choices, kind)
  const steps = [builder.create()]
  const count = 1 + choices.below(5)
  for (let index = 0; index < count; index += 1) steps.push(builder.any())
  const cleanup = kind.isNamespaced ? [] : [`${builder.path}?gracePeriodSeconds=0`]
  const own = kind.isNamespaced ? '' : '?fieldSelector=metadata.name=a-{ns}'
  return {
    steps: steps.flatMap((step) => afterSync(complete(step), kind.collection + own)),
    cleanup,
  }
}

/**
 * A read that may be older than the storage shows whatever a real server has in its watch cache,
 * which is behind by some milliseconds. It is current after a read of the latest state.
 */
function afterSync(step: FuzzStep, path: string): FuzzStep[] {
  if (!JSON.stringify(step.step).includes('resourceVersion=')) return [step]
  return [{ ...step, verb: 'sync', step: { method: 'GET', path, isSetup: true } }, step]
}

/** How many scripts use a kind of a CustomResourceDefinition. */
const customShare = 0.15

/** The kinds of which scripts choose one each. */
export interface FuzzKinds {
  readonly builtin: readonly FuzzedKind[]
  readonly custom: readonly FuzzedKind[]
}

/** Every answer is compared with its headers; set up is not. */
function complete(step: FuzzStep): FuzzStep {
  if (!('method' in step.step) || step.step.isSetup === true) return step
  const shown = { ...step.step, showHeaders: comparedHeaders }
  if (!objectVerbs.has(step.verb)) return { ...step, step: shown }
  const capture = { rv: 'metadata.resourceVersion', uid: 'metadata.uid' }
  return { ...step, step: { ...shown, capture, isCaptureOptional: true } }
}

/** The revision of a list depends on the scripts that run at the same time. */
const objectVerbs = new Set(['create', 'get', 'update', 'patch', 'apply', 'delete'])

class ScriptBuilder {
  readonly path: string
  readonly #choices: Choices
  readonly #kind: FuzzedKind
  readonly #manifest: JsonObject

  constructor(choices: Choices, kind: FuzzedKind) {
    this.#choices = choices
    this.#kind = kind
    this.#manifest = choices.one(kind.manifests)
    this.path = `${kind.collection}/${kind.isNamespaced ? 'a' : 'a-{ns}'}`
  }

  create(): FuzzStep {
    const choices = this.#choices
    // Half of the objects are created unchanged, so that later steps find them.
    const isPlain = choices.isLikely(0.5)
    const { object, mutation } = isPlain
      ? { object: this.#manifest, mutation: 'none' }
      : mutate(choices, this.#manifest, this.#kind.schema)
    const query = randomQuery(choices, 'writes', isPlain ? 0 : 1)
    const body = this.#body(object)
    return this.#step('create', mutation, {
      method: 'POST',
      path: this.#kind.collection + this.#safe(query, object),
      ...(choices.isLikely(0.1) ? { headers: bodyHeaders(choices) } : {}),
      body,
    })
  }

  any(): FuzzStep {
    const choices = this.#choices
    const number = choices.number()
    if (number < 0.2) return this.#patch()
    if (number < 0.38) return this.#update()
    if (number < 0.48) return this.#get()
    if (number < 0.6) return this.#list()
    if (number < 0.63) return this.#watch()
    if (number < 0.76) return this.#delete()
    if (number < 0.81) return this.create()
    if (number < 0.94 && this.#kind.subresources.length > 0) {
      return subresourceStep(choices, {
        kind: this.#kind,
        path: this.path,
        manifest: this.#manifest,
      })
    }
    return oddRequest(choices, this.#kind, this.path)
  }

  #get(): FuzzStep {
    const choices = this.#choices
    const query = randomQuery(choices, 'reads', 2)
    return this.#step('get', 'none', {
      method: 'GET',
      path: this.path + query,
      headers: readHeaders(choices),
    })
  }

  #list(): FuzzStep {
    const choices = this.#choices
    const query = this.#ownQuery(randomQuery(choices, 'lists', 3))
    const headers = choices.isLikely(0.5) ? { headers: readHeaders(choices) } : {}
    return this.#step('list', 'none', {
      method: 'GET',
      path: this.#kind.collection + query,
      ...headers,
    })
  }

  /** Other scripts have objects outside of namespaces too. */
  #ownQuery(query: string): string {
    if (this.#kind.isNamespaced) return query
    const parts = query.slice(1).split('&')
    const others = parts.filter((part) => part !== '' && !part.startsWith('fieldSelector='))
    return `?${[...others, 'fieldSelector=metadata.name=a-{ns}'].join('&')}`
  }

  #watch(): FuzzStep {
    const choices = this.#choices
    const query = this.#ownQuery(randomQuery(choices, 'watches', 3)).replace('?', '&')
    const headers = choices.isLikely(0.3) ? { headers: readHeaders(choices) } : {}
    return {
      ...this.#named('watch', 'none'),
      step: {
        watch: `${this.#kind.collection}?watch=1&timeoutSeconds=1${query}`,
        during: [],
        ...headers,
      },
    }
  }

  #update(): FuzzStep {
    const choices = this.#choices
    const { object, mutation } = mutate(choices, this.#manifest, this.#kind.schema)
    if (choices.isLikely(0.4)) {
      const metadata = object['metadata'] as JsonObject
      object['metadata'] = { resourceVersion: '{rv}', ...metadata }
    }
    const query = randomQuery(choices, 'writes', 1)
    return this.#step('update', mutation, {
      method: 'PUT',
      path: this.path + this.#safe(query, this.#manifest),
      ...(choices.isLikely(0.1) ? { headers: bodyHeaders(choices) } : {}),
      body: this.#body(object),
    })
  }

  #patch(): FuzzStep {
    const choices = this.#choices
    const { type, body, mutation, isApply } = randomPatch(choices, this.#kind, this.#manifest)
    const query = randomQuery(choices, 'patches', 1)
    const manager =
      isApply && !query.includes('fieldManager') ? `fieldManager=${choices.one(['m', 'n'])}` : ''
    const whole = manager === '' ? query : `${query === '' ? '?' : `${query}&`}${manager}`
    return this.#step(isApply ? 'apply' : 'patch', mutation, {
      method: 'PATCH',
      path: this.path + this.#safe(whole, this.#manifest),
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { body }),
    })
  }

  #delete(): FuzzStep {
    const choices = this.#choices
    const isAll = this.#kind.isNamespaced && choices.isLikely(0.2)
    const query = randomQuery(choices, isAll && choices.isLikely(0.5) ? 'lists' : 'deletes', 2)
    const body = choices.isLikely(0.4) ? { body: deleteOptions(choices) } : {}
    return this.#step(isAll ? 'deletecollection' : 'delete', 'none', {
      method: 'DELETE',
      path: (isAll ? this.#kind.collection : this.path) + this.#safe(query, this.#manifest),
      ...body,
    })
  }

  #body(object: JsonObject): NonNullable<Request['body']> {
    if (!this.#choices.isLikely(0.05)) return object
    const text = JSON.stringify(object)
    const keys = [...text.matchAll(/"[\w.]+":/g)]
    const key = keys.length === 0 ? undefined : this.#choices.one(keys)
    if (key === undefined) return object
    return { text: `${text.slice(0, key.index)}${key[0]}null,${text.slice(key.index)}` }
  }

  /** A dry run if the object would be seen by other scripts. */
  #safe(query: string, object: JsonObject): string {
    const { isNamespaced, isOnlyTried } = this.#kind
    const name = (object['metadata'] as JsonObject | undefined)?.['name']
    const isOwn = isNamespaced || (typeof name === 'string' && name.includes('{ns}'))
    if (isOwn && !isOnlyTried) return query
    const rest = query.replace(/dryRun=[^&]*&?/g, '')
    return `${rest === '' || rest === '?' ? '?' : `${rest}&`}dryRun=All`
  }

  #step(verb: string, mutation: string, step: Request): FuzzStep {
    return { ...this.#named(verb, mutation), step }
  }

  #named(verb: string, mutation: string): Omit<FuzzStep, 'step'> {
    return { verb, resource: this.#kind.plural, mutation }
  }
}

function deleteOptions(choices: Choices): JsonObject {
  const options: readonly JsonObject[] = [
    { gracePeriodSeconds: choices.one([0, 1, -1, 30]) },
    { preconditions: { uid: choices.one(['{uid}', 'x', '']) } },
    { preconditions: { resourceVersion: choices.one(['{rv}', '1', '']) } },
    { propagationPolicy: choices.one(['Orphan', 'Background', 'Foreground', 'x', '']) },
    { orphanDependents: choices.isLikely(0.5) },
    { dryRun: choices.one([['All'], [''], [], ['x'], ['All', 'All']]) },
    { kind: choices.one(['DeleteOptions', 'Pod', '']), apiVersion: choices.one(['v1', 'x', '']) },
    { unknown: 1 },
    { gracePeriodSeconds: 'x' },
  ]
  return Object.assign({}, ...choices.some(options, 3)) as JsonObject
}
