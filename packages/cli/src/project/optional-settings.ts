/** Objects for Prometheus and Grafana. */
export interface MonitoringSettings {
  /** A ServiceMonitor; default: true. */
  readonly serviceMonitor?: boolean
  /** A PrometheusRule with alerts; default: true. */
  readonly alerts?: boolean
  /** A ConfigMap with a Grafana dashboard; default: true. */
  readonly dashboard?: boolean
  /** Labels by which your Prometheus selects ServiceMonitors and PrometheusRules. */
  readonly labels?: Readonly<Record<string, string>>
  /** How often Prometheus scrapes; default: 30s. */
  readonly interval?: string
}

const switches = ['serviceMonitor', 'alerts', 'dashboard']

/** Whether a value is a boolean, or the settings of monitoring. */
export function isMonitoring(value: unknown): boolean {
  if (typeof value === 'boolean') return true
  return (
    isRecord(value) &&
    Object.entries(value).every(([name, content]) => {
      if (switches.includes(name)) return typeof content === 'boolean'
      if (name === 'labels') return isTextMap(content)
      return name === 'interval' && typeof content === 'string' && /^\d+(ms|s|m|h)$/.test(content)
    })
  )
}

/** What `monitoring` must be. */
export const monitoringText = `true, false, or an object with ${switches.join(', ')} (true or false), labels, interval (such as 30s)`

/** Whether a value is an object of texts, such as labels. */
export function isTextMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string')
}

/** Labels that Setpoint sets, by which it finds its objects. */
const ownLabels = ['name', 'instance', 'managed-by', 'component'].map(
  (name) => `app.kubernetes.io/${name}`,
)

/** Whether a value is an object of labels that Setpoint does not set. */
export function isMoreLabels(value: unknown): boolean {
  return isTextMap(value) && Object.keys(value as object).every((name) => !ownLabels.includes(name))
}

/** What labels must be. */
export const moreLabelsText = `an object of texts; Setpoint sets ${ownLabels.join(', ')}`

/** Whether a value is a list of objects, each with these texts. */
export function isListOf(value: unknown, ...texts: readonly string[]): boolean {
  return (
    Array.isArray(value) &&
    value.every((item) => isRecord(item) && texts.every((name) => typeof item[name] === 'string'))
  )
}

/** Whether a value is an object, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
