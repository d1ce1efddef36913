/** What calls of the libraries cost. */
import { byteLength } from '../../schema/go/go-print.ts'
import { CelError, CelList, CelMap, CelObject, type CelResult } from '../values/cel-value.ts'
import { patternCost, sizeOf, traversalFactor } from './value-size.ts'
import { InternalFailure } from './frame.ts'

/** The function of a call; the overload is empty if the types of the arguments decide it. */
export interface CalledOverload {
  readonly name: string
  readonly overloadId: string
}

type Cost = (
  args: readonly CelResult[],
  result: CelResult,
  overloadId: string,
) => number | undefined

const one: Cost = () => 1
const firstText: Cost = ([text = null]) => Math.ceil(sizeOf(text) * traversalFactor)
const firstTextTwice: Cost = ([text = null]) => Math.ceil(sizeOf(text) * 2 * traversalFactor)
const traversal: Cost = ([value]) => (value === undefined ? 0 : traversalCost(value))

/** The cost of each check of an authorizer: two of them are too many for one expression. */
const checkCost = 350_000

const listBase = 10
const structBase = 40

const selector: Cost = ([, text]) => {
  if (text === undefined) return undefined
  const size = sizeOf(text)
  const requirements = Math.ceil(size * 0.5) * (listBase + structBase)
  return listBase + Math.ceil(size * traversalFactor) + Math.ceil(requirements)
}

const pattern: Cost = ([text, expression]) =>
  text === undefined || expression === undefined ? undefined : patternCost(text, expression)

const containsIp: Cost = ([cidr, ip], _, overloadId) => {
  if (cidr === undefined || ip === undefined) return undefined
  const parsing =
    overloadId === 'cidr_contains_ip_string' ? Math.ceil(sizeOf(ip) * traversalFactor) : 0
  return Math.ceil(sizeOf(cidr) * 2 * traversalFactor) + parsing
}

const containsCidr: Cost = ([cidr, other], _, overloadId) => {
  if (cidr === undefined || other === undefined) return undefined
  const size = sizeOf(cidr)
  const parsing =
    overloadId === 'cidr_contains_cidr_string' ? Math.ceil(sizeOf(other) * traversalFactor) : 0
  const masking = Math.ceil(size * traversalFactor) + 1
  return Math.ceil(size * 2 * traversalFactor) + masking + parsing
}

/** The cost of a format's validation assumes a pattern of the largest size. */
const validate: Cost = ([format, text]) => {
  if (text === undefined || !(format instanceof CelObject)) return undefined
  const patternSize = (format as CelObject & { readonly patternSizeMax?: number }).patternSizeMax
  if (patternSize === undefined) return undefined
  return Math.ceil((1 + sizeOf(text)) * traversalFactor) * Math.ceil(patternSize * 0.25)
}

const join: Cost = (_, result) => Math.ceil(sizeOf(result) * 2 * traversalFactor)

const address: Cost = (args, result, overloadId) =>
  overloadId === 'cidr_ip' ? 1 : firstText(args, result, overloadId)

const equality: Cost = ([left]) => (left instanceof CelObject ? 1 : undefined)

function named(names: string, cost: Cost): [string, Cost][] {
  return names.split(' ').map((name) => [name, cost])
}

const costs = new Map<string, Cost>([
  ['check', () => checkCost],
  ...named(
    'serviceAccount path group resource subresource namespace name allowed reason error errored',
    one,
  ),
  ...named('fieldSelector labelSelector', selector),
  ...named('isSorted sum max min indexOf lastIndexOf', traversal),
  ...named('url lowerAscii upperAscii substring trim jsonpatch.escapeKey', firstText),
  ...named('replace split ip.isCanonical', firstTextTwice),
  ['join', join],
  ...named('find findAll', pattern),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', firstText),
  ['ip', address],
  ...named(
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
    one,
  ),
  ['containsIP', containsIp],
  ['containsCIDR', containsCidr],
  ['validate', validate],
  ['format.named', one],
  ...named(
    'sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch',
    one,
  ),
  ...named('getScheme getHostname getHost getPort getEscapedPath getQuery', one),
  ['_==_', equality],
])

/** The extra cost of a call that makes a list. */
const allocation = 1 + listBase

const outputSize: Cost = (_, result) => sizeOf(result) + allocation
const flattening: Cost = ([list = null, depth = 1n]) =>
  Math.floor(sizeOf(list) * Number(depth)) + allocation

/** Sorting and comparing all elements with each other. */
function selfComparison(list: CelResult): number {
  // cel-go fails here, because it expects a list even if its evaluation failed.
  if (list instanceof CelError) {
    throw new InternalFailure(
      'interface conversion: *types.Err is not traits.Lister: missing method Add',
    )
  }
  if (!(list instanceof CelList) || list.size === 0) return allocation
  const first = list.at(0)
  const isText = typeof first === 'string' || first instanceof Uint8Array
  return Math.floor(list.size * list.size * (isText ? 2 + traversalFactor : 2)) + allocation
}

function sets(factor: number): Cost {
  return ([one = null, other = null]) => 1 + sizeOf(one) * sizeOf(other) * factor
}

/** Costs that depend on the overload and precede all others. */
const overloadCosts = new Map<string, Cost>([
  ['list_slice', outputSize],
  ['list_flatten', flattening],
  ['list_flatten_int', flattening],
  ['lists_range', outputSize],
  ['list_reverse', outputSize],
  ['list_distinct', ([list = null]) => selfComparison(list)],
  ['list_sets_contains_list', sets(1)],
  ['list_sets_intersects_list', sets(1)],
  ['list_sets_equivalent_list', sets(2)],
  ...named(
    'int uint double bool google.protobuf.Duration google.protobuf.Timestamp string bytes',
    one,
  ).flatMap(([type]): [string, Cost][] => [
    [`list_${type}_sort`, ([list = null]) => selfComparison(list)],
    [`list_${type}_sortByAssociatedKeys`, ([, keys = null]) => selfComparison(keys)],
  ]),
])

/** The cost of a call of a library's function; `undefined` for other functions. */
export function libraryCallCost(
  { name, overloadId }: CalledOverload,
  args: readonly CelResult[],
  result: CelResult,
): number | undefined {
  return (overloadCosts.get(overloadId) ?? costs.get(name))?.(args, result, overloadId)
}

/** The cost of reading a value with everything in it. */
function traversalCost(value: CelResult): number {
  if (typeof value === 'string') return Math.floor(byteLength(value) * traversalFactor)
  if (value instanceof Uint8Array) return Math.floor(value.length * traversalFactor)
  let cost = 0
  if (value instanceof CelList) {
    for (const element of value) cost += traversalCost(element)
    return cost
  }
  if (!(value instanceof CelMap)) return 1
  for (const key of value.keys()) {
    cost += traversalCost(key) + traversalCost(value.find(key) ?? new CelError(''))
  }
  return cost
}
