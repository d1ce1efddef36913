import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/**
 * Metrics of autoscalers in the form of the annotations of `autoscaling/v1`. It is the form of
 * v2alpha1, with keys in the order of Go's structs, because the annotation is compared as text.
 */
export function oldMetric(metric: JsonObject, use: 'target' | 'current'): JsonObject {
  return {
    type: metric['type'] ?? '',
    ...mapped(metric, 'object', (source) => oldObject(source, use)),
    ...mapped(metric, 'pods', (source) => ({
      metricName: nameOfMetric(source),
      [`${use}AverageValue`]: amountsOf(source, use)['averageValue'] ?? '0',
      ...selectorOf(source, 'selector'),
    })),
    ...mapped(metric, 'resource', (source) => oldResource(source, use)),
    ...mapped(metric, 'containerResource', (source) => ({
      ...oldResource(source, use),
      container: source['container'] ?? '',
    })),
    ...mapped(metric, 'external', (source) => {
      const { value, averageValue } = amountsOf(source, use)
      return {
        metricName: nameOfMetric(source),
        ...selectorOf(source, 'metricSelector'),
        ...given(`${use}Value`, use === 'current' ? (value ?? '0') : value),
        ...given(`${use}AverageValue`, averageValue),
      }
    }),
  }
}

/** The reverse of `oldMetric`. */
export function newMetric(metric: JsonObject, use: 'target' | 'current'): JsonObject {
  return {
    type: metric['type'] ?? '',
    ...mapped(metric, 'object', (source) => newObject(source, use)),
    ...mapped(metric, 'pods', (source) => ({
      metric: identifier(source, 'selector'),
      [use]: typed(use, 'AverageValue', {
        averageValue: source[`${use}AverageValue`] ?? '0',
      }),
    })),
    ...mapped(metric, 'resource', (source) => newResource(source, use)),
    ...mapped(metric, 'containerResource', (source) => ({
      ...newResource(source, use),
      container: source['container'] ?? '',
    })),
    ...mapped(metric, 'external', (source) => {
      const value = source[`${use}Value`] ?? (use === 'current' ? '0' : undefined)
      return {
        metric: identifier(source, 'metricSelector'),
        [use]: typed(use, value === undefined ? 'AverageValue' : 'Value', {
          ...given('value', value),
          ...given('averageValue', source[`${use}AverageValue`]),
        }),
      }
    }),
  }
}

function oldObject(source: JsonObject, use: 'target' | 'current'): JsonObject {
  const { value, averageValue } = amountsOf(source, use)
  return {
    target: reference(source['describedObject']),
    metricName: nameOfMetric(source),
    [`${use}Value`]: value ?? '0',
    ...selectorOf(source, 'selector'),
    ...given('averageValue', averageValue),
  }
}

function newObject(source: JsonObject, use: 'target' | 'current'): JsonObject {
  const averageValue = source['averageValue']
  const value = source[`${use}Value`] ?? '0'
  // The old form cannot omit the value, so a zero next to an average means none.
  const isNone = averageValue !== undefined && value === '0'
  return {
    describedObject: reference(source['target']),
    metric: identifier(source, 'selector'),
    [use]: typed(use, averageValue === undefined ? 'Value' : 'AverageValue', {
      ...(isNone ? {} : { value }),
      ...given('averageValue', averageValue),
    }),
  }
}

function oldResource(source: JsonObject, use: 'target' | 'current'): JsonObject {
  const { averageUtilization, averageValue } = amountsOf(source, use)
  const value = use === 'current' ? (averageValue ?? '0') : averageValue
  return {
    name: source['name'] ?? '',
    ...given(`${use}AverageUtilization`, averageUtilization),
    ...given(`${use}AverageValue`, value),
  }
}

function newResource(source: JsonObject, use: 'target' | 'current'): JsonObject {
  const utilization = source[`${use}AverageUtilization`]
  const sent = source[`${use}AverageValue`]
  // The old form cannot omit the current value next to a percentage either.
  const value = use === 'current' && utilization !== undefined && sent === '0' ? undefined : sent
  return {
    name: source['name'] ?? '',
    [use]: typed(use, utilization === undefined ? 'AverageValue' : 'Utilization', {
      ...given('averageValue', value),
      ...given('averageUtilization', utilization),
    }),
  }
}

/** Only targets have a type. */
function typed(use: 'target' | 'current', type: string, amounts: JsonObject): JsonObject {
  return use === 'target' ? { type, ...amounts } : amounts
}

function mapped(
  metric: JsonObject,
  name: string,
  convert: (source: JsonObject) => JsonObject,
): JsonObject {
  const source = metric[name]
  return isJsonObject(source) ? { [name]: convert(source) } : {}
}

function given(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined || value === null ? {} : { [name]: value }
}

function amountsOf(source: JsonObject, use: 'target' | 'current'): JsonObject {
  const amounts = source[use]
  return isJsonObject(amounts) ? amounts : {}
}

function metricOf(source: JsonObject): JsonObject {
  const metric = source['metric']
  return isJsonObject(metric) ? metric : {}
}

function nameOfMetric(source: JsonObject): JsonValue {
  return metricOf(source)['name'] ?? ''
}

function selectorOf(source: JsonObject, name: string): JsonObject {
  return given(name, metricOf(source)['selector'])
}

function identifier(source: JsonObject, selector: string): JsonObject {
  return { name: source['metricName'] ?? '', ...given('selector', source[selector]) }
}

function reference(value: JsonValue | undefined): JsonObject {
  const { kind = '', name = '', apiVersion } = isJsonObject(value) ? value : {}
  return { kind, name, ...given('apiVersion', apiVersion) }
}
