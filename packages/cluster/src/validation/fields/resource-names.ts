/** What Kubernetes knows about names of resources such as `cpu` and `example.com/gpu`. */
import type { FieldPlace } from '../go/field-place.ts'
import { qualifiedNameComplaints } from './name-rules.ts'
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

/** Resources that quotas know without a domain. */
export function isStandardQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaHugePages(name)
}

/** Resources without a foreign domain. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

/** Resources that some device plugin offers. */
function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false
  return qualifiedNameComplaints(`requests.${name}`).length === 0
}

/** Whether requests may be below limits. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name)
}

/** Complains about a name that is neither standard nor has a domain; says whether it did. */
export function checkResourceName(name: string, at: FieldPlace): boolean {
  const problems = qualifiedNameComplaints(name)
  at.complaints(name, problems)
  if (problems.length > 0) return false
  if (name.includes('/') || name === 'storage' || isStandardQuotaResource(name)) return true
  at.invalid(name, 'must be a standard resource type or fully qualified')
  return false
}

/** Complains about what a container cannot ask for. */
export function checkContainerResourceName(name: string, at: FieldPlace): void {
  checkResourceName(name, at)
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePages(name)) {
      at.invalid(name, 'must be a standard resource for containers')
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    at.invalid(name, "doesn't follow extended resource name standard")
  }
}

/** Complains about what a whole pod cannot ask for. */
export function checkPodResourceName(name: string, at: FieldPlace): void {
  if (!checkResourceName(name, at)) return
  if (name === 'cpu' || name === 'memory' || isHugePages(name)) return
  at.notSupported(name, ['cpu', 'hugepages-', 'memory'])
}

/** Complains about what a quota cannot limit. */
export function checkQuotaResourceName(name: string, at: FieldPlace): void {
  checkResourceName(name, at)
  if (!name.includes('/') && !isStandardQuotaResource(name)) {
    at.invalid(name, 'must be a standard resource for quota')
  }
}

/** Amounts are not negative, and counted things are whole. */
export function checkAmount(name: string, quantity: string, at: FieldPlace): void {
  if (signOf(quantity) < 0) at.invalid(quantity, 'must be greater than or equal to 0')
  const isInteger = integerResources.has(name) || isExtendedResource(name)
  if (isInteger && milliValue(quantity) % 1000n !== 0n) {
    at.invalid(quantity, 'must be an integer')
  }
}

/** Whether the amount is a number of pages. */
export function isWholePages(name: string, quantity: string): boolean {
  const size = name.slice('hugepages-'.length)
  if (!/^[0-9]+[a-zA-Z]*$/.test(size) || signOf(size) <= 0) return false
  return wholeValue(quantity) % wholeValue(size) === 0n
}

/** Complains about negative amounts; says whether it did. */
export function checkBasicAmount(amount: string, at: FieldPlace): boolean {
  const value = wholeValue(amount)
  if (value >= 0n) return false
  at.invalid(value, 'must be a valid resource quantity')
  return true
}
