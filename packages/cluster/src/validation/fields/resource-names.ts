/** The rules for names of resources such as `cpu` and `example.com/gpu`. */
import type { FieldPath } from '../go/field-path.ts'
import { qualifiedNameProblems } from './name-rules.ts'
import { milliValue, signOf, wholeValue } from './compare-quantities.ts'

const countable = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const containerResources = new Set(['cpu', 'memory', 'ephemeral-storage'])
const quotaResources = new Set([
  ...containerResources,
  ...['requests', 'limits'].flatMap((kind) =>
    [...containerResources].map((name) => `${kind}.${name}`),
  ),
  'requests.storage',
  ...countable,
])
const integerResources = new Set(countable)

/** Huge pages of one size: `hugepages-2Mi`. */
export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-')
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith('requests.hugepages-')
}

/** Resources without a domain that quotas support. */
export function isStandardQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaHugePages(name)
}

/** Resources without a foreign domain. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

/** Resources of device plugins. */
function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false
  return qualifiedNameProblems(`requests.${name}`).length === 0
}

/** Whether requests may be lower than limits. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name)
}

/** Reports a name that is neither standard nor has a domain; returns whether it is valid. */
export function checkResourceName(name: string, at: FieldPath): boolean {
  const problems = qualifiedNameProblems(name)
  at.invalidNamedEach(name, problems)
  if (problems.length > 0) return false
  if (name.includes('/') || name === 'storage' || isStandardQuotaResource(name)) return true
  at.invalidNamed(name, 'must be a standard resource type or fully qualified')
  return false
}

/** Reports a resource that a container cannot request. */
export function checkContainerResourceName(name: string, at: FieldPath): void {
  checkResourceName(name, at)
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePages(name)) {
      at.invalidNamed(name, 'must be a standard resource for containers')
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    at.invalidNamed(name, "doesn't follow extended resource name standard")
  }
}

/** Reports a resource that a pod cannot request at pod level. */
export function checkPodResourceName(name: string, at: FieldPath): void {
  if (!checkResourceName(name, at)) return
  if (name === 'cpu' || name === 'memory' || isHugePages(name)) return
  at.notSupported(name, ['cpu', 'hugepages-', 'memory'])
}

/** Reports a resource that a quota cannot limit. */
export function checkQuotaResourceName(name: string, at: FieldPath): void {
  checkResourceName(name, at)
  if (!name.includes('/') && !isStandardQuotaResource(name)) {
    at.invalidNamed(name, 'must be a standard resource for quota')
  }
}

/** Amounts must not be negative, and some resources must be integers. */
export function checkAmount(name: string, quantity: string, at: FieldPath): void {
  if (signOf(quantity) < 0) at.invalid(quantity, 'must be greater than or equal to 0')
  const isInteger = integerResources.has(name) || isExtendedResource(name)
  if (isInteger && milliValue(quantity) % 1000n !== 0n) {
    at.invalid(quantity, 'must be an integer')
  }
}

/** Whether the amount is a multiple of the page size. */
export function isWholePages(name: string, quantity: string): boolean {
  const size = name.slice('hugepages-'.length)
  if (!/^[0-9]+[a-zA-Z]*$/.test(size) || signOf(size) <= 0) return false
  return wholeValue(quantity) % wholeValue(size) === 0n
}

/** Reports a negative amount; returns whether it did. */
export function checkBasicAmount(amount: string, at: FieldPath): boolean {
  const value = wholeValue(amount)
  if (value >= 0n) return false
  at.invalid(value, 'must be a valid resource quantity')
  return true
}
