import type { JsonObject } from 'setpoint/schema'
import type { Request } from '../../test/conformance/conformance-case.ts'
import type { Choices } from './choices.ts'
import type { FuzzedKind } from './fuzzed-kinds.ts'
import type { FuzzStep } from './fuzz-step.ts'
import { mutate } from './mutations.ts'
import { randomPatch } from './random-patches.ts'
import { randomQuery } from './random-queries.ts'
import { randomText, randomValue, valueOfSchema } from './random-values.ts'
import { builtinData } from '../../packages/cluster/src/data/index.ts'

interface Target {
  readonly kind: FuzzedKind
  readonly path: string
  readonly manifest: JsonObject
}

/** These connect to a node, or need the answer of one. */
const connects = new Set(['proxy', 'attach', 'exec', 'portforward'])

/** A request for a subresource of the object: status, scale, eviction, binding, token, ... */
export function subresourceStep(choices: Choices, target: Target): FuzzStep {
  const { kind, path } = target
  const subresource = choices.one(kind.subresources)
  const at = `${path}/${subresource}`
  const dry = kind.isOnlyTried ? 'dryRun=All' : ''
  const named = { resource: `${kind.plural}/${subresource}` }
  if (connects.has(subresource) || subresource === 'log') {
    const query = choices.one([
      '',
      '?container=x',
      '?follow=x',
      '?tailLines=-1',
      '?command=ls',
      '?ports=x',
    ])
    const method = choices.one(['GET', 'POST', 'PUT'] as const)
    const body = method === 'GET' ? {} : { body: {} }
    return { ...named, verb: method, mutation: 'none', step: { method, path: at + query, ...body } }
  }
  const method = choices.one(['GET', 'PUT', 'PUT', 'PATCH', 'PATCH', 'POST', 'DELETE'] as const)
  if (method === 'GET' || method === 'DELETE') {
    const query = dry === '' ? randomQuery(choices, 'reads', 1) : `?${dry}`
    return { ...named, verb: method, mutation: 'none', step: { method, path: at + query } }
  }
  const { body, mutation } = bodyFor(choices, target, subresource)
  const query = randomQuery(choices, method === 'PATCH' ? 'patches' : 'writes', 1)
  const whole = dry === '' ? query : `?${dry}`
  if (method !== 'PATCH') {
    return { ...named, verb: method, mutation, step: { method, path: at + whole, body } }
  }
  const patch = randomPatch(choices, kind, body)
  const manager = `${whole === '' ? '?' : '&'}fieldManager=${choices.one(['m', 'n'])}`
  const step: Request = {
    method,
    path: at + whole + (patch.isApply && !whole.includes('fieldManager') ? manager : ''),
    headers: { 'content-type': patch.type },
    ...(patch.body === undefined ? {} : { body: patch.body }),
  }
  return { ...named, verb: patch.isApply ? 'apply' : 'patch', mutation: patch.mutation, step }
}

function bodyFor(
  choices: Choices,
  { kind, manifest }: Target,
  subresource: string,
): { body: JsonObject; mutation: string } {
  const metadata = { name: (manifest['metadata'] as JsonObject)['name'] ?? 'a' }
  switch (subresource) {
    case 'scale': {
      const replicas = choices.one([0, 1, 3, -1, 'x', null, 1.5])
      const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas } }
      return { body, mutation: 'a number of replicas' }
    }
    case 'eviction':
      return { body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata }, mutation: 'none' }
    case 'binding':
      return {
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata,
          target: { kind: 'Node', name: randomText(choices) },
        },
        mutation: 'the name of a node',
      }
    case 'token':
      return {
        body: { spec: { audiences: ['a'], expirationSeconds: choices.one([600, 599, -1, 3607]) } },
        mutation: 'an expiration',
      }
    default:
      break
  }
  const schema = kind.schema === undefined ? undefined : builtinData.schemas().schemas[kind.schema]
  const status = (schema?.['properties'] as JsonObject | undefined)?.['status']
  const value =
    status === undefined
      ? { a: randomValue(choices) }
      : valueOfSchema(choices, status as JsonObject)
  const object: JsonObject = { ...manifest, status: value }
  if (choices.isLikely(0.6)) return { body: object, mutation: 'a status' }
  const mutated = mutate(choices, object, kind.schema)
  return { body: mutated.object, mutation: mutated.mutation }
}
