import { parseQuantity } from '../codec/index.ts'
import type { ResourceQuantities } from '../object/index.ts'

/** One item of a limit range. */
export interface LimitRangeItem {
  readonly type: string
  readonly min?: ResourceQuantities
  readonly max?: ResourceQuantities
  readonly default?: ResourceQuantities
  readonly defaultRequest?: ResourceQuantities
  readonly maxLimitRequestRatio?: ResourceQuantities
}

/** The amounts of a container, pod or claim; only claims have no limits. */
interface Used {
  readonly requests?: ResourceQuantities
  readonly limits?: ResourceQuantities
}

/** The violations of a limit range, with a real server's messages. */
export function amountProblems(item: LimitRangeItem, used: Used): string[] {
  const hasLimits = item.type !== 'PersistentVolumeClaim'
  return [
    ...found(item.min, (name, amount) => belowMinimum(item.type, { name, amount, used })),
    ...found(item.max, (name, amount) =>
      hasLimits
        ? aboveMaximum(item.type, { name, amount, used })
        : requestAboveMaximum(item.type, { name, amount, used }),
    ),
    ...(hasLimits
      ? found(item.maxLimitRequestRatio, (name, amount) =>
          aboveRatio(item.type, { name, amount, used }),
        )
      : []),
  ]
}

function found(
  amounts: ResourceQuantities | undefined,
  check: (name: string, amount: string) => string | undefined,
): string[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => check(name, amount) ?? [])
}

interface Bound {
  readonly name: string
  readonly amount: string
  readonly used: Used
}

function compare(left: string, right: string): number {
  return parseQuantity(left).cmp(parseQuantity(right))
}

function amountsOf({ name, used }: Bound): { request?: string; limit?: string } {
  const own = (amounts: ResourceQuantities = {}): string | undefined =>
    Object.hasOwn(amounts, name) ? amounts[name] : undefined
  const request = own(used.requests)
  const limit = own(used.limits)
  return {
    ...(request === undefined ? {} : { request }),
    ...(limit === undefined ? {} : { limit }),
  }
}

function belowMinimum(type: string, bound: Bound): string | undefined {
  const { request, limit } = amountsOf(bound)
  const rule = `minimum ${bound.name} usage per ${type} is ${bound.amount}`
  if (request === undefined) return `${rule}.  No request is specified`
  if (compare(request, bound.amount) < 0) return `${rule}, but request is ${request}`
  if (limit !== undefined && compare(limit, bound.amount) < 0) {
    return `${rule}, but limit is ${limit}`
  }
  return undefined
}

function aboveMaximum(type: string, bound: Bound): string | undefined {
  const { request, limit } = amountsOf(bound)
  const rule = `maximum ${bound.name} usage per ${type} is ${bound.amount}`
  if (limit === undefined) return `${rule}.  No limit is specified`
  if (compare(limit, bound.amount) > 0) return `${rule}, but limit is ${limit}`
  if (request !== undefined && compare(request, bound.amount) > 0) {
    return `${rule}, but request is ${request}`
  }
  return undefined
}

function requestAboveMaximum(type: string, bound: Bound): string | undefined {
  const { request } = amountsOf(bound)
  const rule = `maximum ${bound.name} usage per ${type} is ${bound.amount}`
  if (request === undefined) return `${rule}.  No request is specified`
  return compare(request, bound.amount) > 0 ? `${rule}, but request is ${request}` : undefined
}

function aboveRatio(type: string, bound: Bound): string | undefined {
  const { request, limit } = amountsOf(bound)
  const rule = `${bound.name} max limit to request ratio per ${type} is ${bound.amount}`
  if (request === undefined || parseQuantity(request).isZero) {
    return `${rule}, but no request is specified or request is 0`
  }
  if (limit === undefined || parseQuantity(limit).isZero) {
    return `${rule}, but no limit is specified or limit is 0`
  }
  const ratio = parseQuantity(limit).toNumber() / parseQuantity(request).toNumber()
  if (ratio <= parseQuantity(bound.amount).toNumber()) return undefined
  return `${rule}, but provided ratio is ${ratio.toFixed(6)}`
}
