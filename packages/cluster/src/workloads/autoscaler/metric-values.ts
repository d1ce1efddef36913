import { parseQuantity } from '../../codec/index.ts'

/**
 * Where the values of metrics come from, because nothing here measures: a JSON object on the autoscaler. Its keys are `cpu`
 * or another resource, `container/NAME/cpu`, `pods/METRIC`, `object/KIND/NAME/METRIC` and `external/METRIC`.
 */
const metricsAnnotation = 'setpoint.dev/metrics'

/** A value of a metric: an amount in thousandths, or for resources a share of what is requested, in percent. */
export type MetricValue = { readonly milli: number } | { readonly percent: number }

/** Values of metrics by their keys; `undefined` where there is no source of them. */
export type MetricValues = (key: string) => MetricValue | undefined

/** A metric that could not be had, and why. */
export class MetricError extends Error {}

/** Reads the values that an autoscaler carries. What cannot be read is told as whoever asks for it gets it. */
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
    throw new MetricError(`${key} in the annotation ${metricsAnnotation} is no amount: ${text}`)
  }
}

/** An amount in thousandths. */
export function milliOf(text: string): number {
  return Number(parseQuantity(text).scaledValue(-3))
}

/** An amount in thousandths as objects have it; that of memory in powers of two. */
export function milliText(milli: number, resource = ''): string {
  const amount = parseQuantity(`${milli}m`)
  if (resource !== 'memory') return amount.toText()
  // What is added to an amount is shown in the way of that amount.
  const block = parseQuantity('1Ki')
  return block.plus(amount).minus(block).toText()
}
