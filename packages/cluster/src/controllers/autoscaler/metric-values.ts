import { parseQuantity } from '../../codec/index.ts'

/**
 * The source of metric values, because this cluster has no metrics server: a JSON object on the
 * autoscaler. Its keys are `cpu` or another resource, `container/NAME/cpu`, `pods/METRIC`,
 * `object/KIND/NAME/METRIC` and `external/METRIC`.
 */
const metricsAnnotation = 'setpoint.dev/metrics'

/** A metric value: a quantity in thousandths, or for resources a percentage of the request. */
export type MetricValue = { readonly milli: number } | { readonly percent: number }

/** Metric values by key; `undefined` if there is no value. */
export type MetricValues = (key: string) => MetricValue | undefined

/** Why a metric could not be read. */
export class MetricError extends Error {}

/**
 * Reads the values from the autoscaler's annotations. An invalid annotation throws when a value is
 * read.
 */
export function metricValues(annotations: Readonly<Record<string, string>> = {}): MetricValues {
  const text = annotations[metricsAnnotation]
  if (text === undefined) return () => undefined
  let values: Readonly<Record<string, unknown>> = {}
  try {
    values = JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return () => {
      throw new MetricError(`the annotation ${metricsAnnotation} is not JSON`)
    }
  }
  return (key) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    return value === undefined ? undefined : valueOf(key, value)
  }
}

function valueOf(key: string, value: unknown): MetricValue {
  const text = String(value)
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? []
  if (percent !== undefined) return { percent: Number(percent) }
  try {
    return { milli: milliOf(text) }
  } catch {
    throw new MetricError(
      `${key} in the annotation ${metricsAnnotation} is not a quantity: ${text}`,
    )
  }
}

/** A quantity in thousandths. */
export function milliOf(text: string): number {
  return Number(parseQuantity(text).scaledValue(-3))
}

/** Formats a quantity in thousandths; memory in powers of two. */
export function milliText(milli: number, resource = ''): string {
  const amount = parseQuantity(`${milli}m`)
  if (resource !== 'memory') return amount.toText()
  // A sum is formatted like its first term.
  const block = parseQuantity('1Ki')
  return block.plus(amount).minus(block).toText()
}
