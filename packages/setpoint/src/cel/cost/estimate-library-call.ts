/** Estimates of the functions of Kubernetes' libraries. */
import type { CallEstimate, CostNode, SizeOfPath } from './cost-node.ts'
import {
  byFactor,
  fixed,
  plus,
  times,
  uint64Max,
  union,
  unknownSize,
  type Estimate,
} from './estimate.ts'
import { sameType } from '../types/cel-type.ts'

/** A call with its arguments. */
interface LibraryCall {
  readonly name: string
  readonly overload: string
  readonly target: CostNode | undefined
  readonly args: readonly CostNode[]
}

const one = fixed(1n)
const addressSize: Estimate = { min: 4n, max: 16n }

const constantFunctions = new Set(
  [
    'serviceAccount path group resource subresource namespace name allowed reason error errored',
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast',
    'isGlobalUnicast format.named sign asInteger isInteger asApproximateFloat isGreaterThan',
    'isLessThan compareTo add sub major minor patch getScheme getHostname getHost getPort',
    'getEscapedPath getQuery',
  ]
    .join(' ')
    .split(' '),
)

/** The estimate of a call of a library's function; `undefined` for other functions. */
export function estimateLibraryCall(
  call: LibraryCall,
  sizeOfPath: SizeOfPath,
): CallEstimate | undefined {
  if (constantFunctions.has(call.name)) return { cost: one }
  const sizeOf = (node: CostNode): Estimate =>
    node.size ?? (node.path.length === 0 ? undefined : sizeOfPath(node.path)) ?? unknownSize
  return new CallEstimator(call, sizeOf).estimate()
}

class CallEstimator {
  private readonly call: LibraryCall
  private readonly sizeOf: (node: CostNode) => Estimate

  constructor(call: LibraryCall, sizeOf: (node: CostNode) => Estimate) {
    this.call = call
    this.sizeOf = sizeOf
  }

  estimate(): CallEstimate | undefined {
    const { name, overload, args } = this.call
    switch (name) {
      case 'check':
        return { cost: fixed(350_000n) }
      case 'fieldSelector':
      case 'labelSelector':
        return args.length === 1 ? { cost: this.selector() } : undefined
      case 'cidr':
      case 'isIP':
      case 'isCIDR':
      case 'quantity':
      case 'isQuantity':
      case 'semver':
      case 'isSemver':
        return { cost: byFactor(this.first, 0.1) }
      case 'ip':
        return { cost: overload === 'cidr_ip' ? one : byFactor(this.first, 0.1) }
      case 'ip.isCanonical':
        return { cost: byFactor(this.first, 0.2) }
      case 'validate':
        return { cost: byFactor(byFactor(this.first, 0.1), 128 * 0.25) }
      case 'url':
      case 'jsonpatch.escapeKey':
        return { cost: byFactor(this.first, 0.1), size: this.first }
      case 'containsIP':
      case 'containsCIDR':
        return { cost: this.containment(name) }
      case '_==_':
        return this.equality()
      default:
        return this.call.target === undefined ? undefined : this.method(this.call.target)
    }
  }

  private method(target: CostNode): CallEstimate | undefined {
    const { name, args } = this.call
    const size = this.sizeOf(target)
    switch (name) {
      case 'isSorted':
      case 'sum':
      case 'max':
      case 'min':
      case 'indexOf':
      case 'lastIndexOf':
        return { cost: this.traversal(target) }
      case 'lowerAscii':
      case 'upperAscii':
      case 'substring':
      case 'trim':
        return { cost: byFactor(size, 0.1), size }
      case 'replace':
        return { cost: byFactor(size, 0.2), size: this.replaced(size) }
      case 'split':
        return { cost: byFactor(size, 0.2), size: { min: 0n, max: splitMax(size.max, args[1]) } }
      case 'join': {
        const joined = this.joined(target)
        return { cost: byFactor(joined, 0.1), size: joined }
      }
      case 'find':
      case 'findAll': {
        const text = byFactor(plus(size, one), 0.1)
        return {
          cost: times(text, byFactor(this.first, 0.25)),
          size: { min: 0n, max: size.max },
        }
      }
      default:
        return undefined
    }
  }

  private get first(): Estimate {
    const [first] = this.call.args
    return first === undefined ? unknownSize : this.sizeOf(first)
  }

  /** A selector has at most one requirement for two characters. */
  private selector(): Estimate {
    const requirements = byFactor(byFactor(this.first, 0.5), 50)
    return plus(fixed(10n), byFactor(this.first, 0.1), requirements)
  }

  private elementOf(list: CostNode): CostNode | undefined {
    const [type] = list.type.parameters
    if (type === undefined) return undefined
    const path = list.path.length === 0 ? [] : [...list.path, '@items']
    return { expr: undefined, type, path, size: undefined }
  }

  /** Comparing each element once. */
  private traversal(target: CostNode): Estimate {
    const element = this.elementOf(target)
    const size = this.sizeOf(target)
    if (element === undefined) return byFactor(size, 0.1)
    const isText = element.type.kind === 'string' || element.type.kind === 'bytes'
    const each = isText ? plus(one, byFactor(this.sizeOf(element), 0.1)) : one
    return times(size, each)
  }

  /** The size after replacing: the extremes of how often and by how much. */
  private replaced(size: Estimate): Estimate {
    const [old, by] = this.call.args.map((arg) => this.sizeOf(arg))
    if (old === undefined || by === undefined) return size
    const largest = mostReplaced(size.max, old.min, by.max <= old.min)
    const smallest = mostReplaced(size.min, old.max, old.max <= by.min)
    const count = { min: smallest.count, max: largest.count }
    return plus(times(count, by), { min: smallest.kept, max: largest.kept })
  }

  private joined(target: CostNode): Estimate {
    const count = this.sizeOf(target)
    const element = this.elementOf(target)
    const size = element === undefined ? fixed(0n) : times(count, this.sizeOf(element))
    const [separator] = this.call.args
    if (separator === undefined) return size
    const separators = {
      min: count.min > 0n ? count.min - 1n : 0n,
      max: count.max > 0n ? count.max - 1n : 0n,
    }
    return plus(size, times(this.sizeOf(separator), separators))
  }

  private containment(name: 'containsIP' | 'containsCIDR'): Estimate {
    const comparison = byFactor(plus(addressSize, addressSize), 0.1)
    const masking = name === 'containsCIDR' ? plus(byFactor(addressSize, 0.1), one) : fixed(0n)
    const parsing = this.call.overload.endsWith('_string') ? byFactor(this.first, 0.1) : fixed(0n)
    return plus(comparison, masking, parsing)
  }

  /** Values of the libraries' types are compared in one step; URLs and formats as texts. */
  private equality(): CallEstimate | undefined {
    const [left, right] = this.call.args
    if (left === undefined || right === undefined || !sameType(left.type, right.type)) {
      return undefined
    }
    const { kind, name } = left.type
    if (kind === 'opaque') {
      return name === 'net.IP' || name === 'net.CIDR' ? { cost: one } : undefined
    }
    if (kind !== 'object') return undefined
    if (name === 'kubernetes.NamedFormat') return { cost: byFactor({ min: 1n, max: 64n }, 0.1) }
    if (name === 'kubernetes.URL') {
      const size = right.size === undefined ? one : union(right.size, right.size)
      return { cost: byFactor({ min: 1n, max: size.max }, 0.1) }
    }
    return name.startsWith('kubernetes.') ? { cost: one } : undefined
  }
}

/** How often a text can be replaced, and how much of the original remains. */
function mostReplaced(
  size: bigint,
  oldSize: bigint,
  isNeutral: boolean,
): { readonly count: bigint; readonly kept: bigint } {
  if (oldSize === 0n) return { count: size < uint64Max ? size + 1n : size, kept: size }
  if (isNeutral) return { count: 0n, kept: size }
  return { count: BigInt(Math.ceil(Number(size) / Number(oldSize))), kept: 0n }
}

function splitMax(max: bigint, limit: CostNode | undefined): bigint {
  if (limit?.expr?.kind !== 'literal' || typeof limit.expr.value !== 'bigint') return max
  return BigInt.asUintN(64, limit.expr.value)
}
