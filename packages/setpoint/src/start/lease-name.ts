import type { AnyOperator } from '../operator/index.ts'
import { hashText, hashWord } from '../schema/hash-text.ts'

/** The limit is 253; the rest is room for what is served. */
const namesCharactersMax = 200
const charactersMax = 253

/**
 * The name of the Lease that `run` uses by default: the same for all replicas, because they have
 * the same operators and serve the same objects. Processes that serve other namespaces or labels
 * have another Lease, so that they work at the same time. `namespaces` is the option of `start`.
 */
export function leaseName(
  operators: readonly AnyOperator[],
  namespaces?: readonly string[],
): string {
  const names = operators.map(({ declaration }) => declaration.options.name).sort()
  const text = validName(names.join('-').slice(0, namesCharactersMax))
  const name = text === '' ? 'setpoint' : text
  const served = operators.map((operator) => servedBy(operator, namespaces)).sort()
  if (served.every((one) => one === '')) return name
  const [first = ''] = served
  const isReadable = /^[a-z0-9.-]+$/.test(first) && served.every((one) => one === first)
  const readable = `${name}-in-${first}`
  if (isReadable && readable.length <= charactersMax) return readable
  const { low, high } = hashText(JSON.stringify(served))
  return `${name}-${hashWord(low)}${hashWord(high)}`
}

/** The restrictions of an operator, as text; empty when it serves all objects of its kind. */
function servedBy({ declaration }: AnyOperator, restricted?: readonly string[]): string {
  const { kind, options } = declaration
  const { labelSelector } = options
  const namespaces = restricted ?? options.namespaces
  const selected = labelSelector === undefined ? [] : [JSON.stringify(labelSelector)]
  if (namespaces === undefined || kind.scope === 'Cluster') return selected.join()
  // The set of a `LiveNamespaces` may change while the process runs.
  const names = Array.isArray(namespaces)
    ? [...new Set(namespaces as readonly string[])].sort().join('.')
    : 'labelSelector' in namespaces
      ? JSON.stringify(namespaces.labelSelector)
      : 'live namespaces'
  return [names, ...selected].join(' ')
}

function validName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
}
