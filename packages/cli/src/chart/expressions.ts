/**
 * Placeholders in manifests that become expressions of Helm. Manifests are made by `generate/` as
 * usual, with placeholders as names; then their YAML is turned into a template. Lower-case letters
 * and hyphens are valid in every name.
 */
export const placeholders = {
  fullname: 'zz-fullname-zz',
  sharedName: 'zz-sharedname-zz',
  account: 'zz-account-zz',
  namespace: 'zz-namespace-zz',
  release: 'zz-release-zz',
  service: 'zz-service-zz',
  watched: 'zz-watched-zz',
  image: 'zz-image-zz',
  lease: 'zz-lease-zz',
  interval: 'zz-interval-zz',
} as const

/** The expressions of the placeholders, in a chart whose helpers have this prefix. */
function named(chart: string, lease: string | undefined): Readonly<Record<string, string>> {
  const include = (helper: string): string => `{{ include "${chart}.${helper}" $ }}`
  return {
    [placeholders.fullname]: include('fullname'),
    [placeholders.sharedName]: include('sharedName'),
    [placeholders.account]: include('serviceAccountName'),
    [placeholders.namespace]: '{{ $.Release.Namespace }}',
    [placeholders.release]: '{{ $.Release.Name }}',
    [placeholders.service]: '{{ $.Release.Service }}',
    [placeholders.watched]: '{{ join "," $.Values.watchNamespaces }}',
    [placeholders.image]: include('image'),
    [placeholders.lease]: lease ?? include('fullname'),
    [placeholders.interval]: '{{ $.Values.monitoring.serviceMonitor.interval }}',
  }
}

const raw = /"?zz-raw-([0-9a-f]+)-zz"?/g
const block = /^( *)(?:- )?zz-block-([0-9a-f]+)-zz(?:: null)?$/gm
const watchedItem = new RegExp(`^( *)- ${placeholders.watched}$`, 'gm')

/** A value that is printed as it is: numbers, booleans and lists. */
export function rawValue(expression: string): string {
  return `zz-raw-${hex(expression)}-zz`
}

/**
 * Lines of a template: a field of an object, with the value `null`, or an item of a list. Every
 * line that is not a directive gets the indentation of its place; `INDENT` is that number, and
 * `CHART` the prefix of the helpers.
 */
export function blockOf(...lines: readonly string[]): string {
  return `zz-block-${hex(lines.join('\n'))}-zz`
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}

function ofHex(text: string): string {
  return Buffer.from(text, 'hex').toString('utf8')
}

/** Turns the YAML of a manifest with placeholders into a template. */
export function asTemplate(
  yaml: string,
  { chart, lease }: { readonly chart: string; readonly lease: string | undefined },
): string {
  // Text such as {{ $labels.pod }} in alerts is not meant for Helm.
  const escaped = yaml.replaceAll('{{', '{{ "{{" }}')
  const lists = escaped.replaceAll(
    watchedItem,
    (_, spaces: string) =>
      `${spaces}{{- toYaml $.Values.watchNamespaces | nindent ${spaces.length} }}`,
  )
  const quoted = lists.split('\n').map(quotedLine).join('\n')
  const replaced = Object.entries(named(chart, lease)).reduce(
    (text, [name, expression]) => text.replaceAll(name, expression),
    quoted,
  )
  return replaced
    .replaceAll(block, (_, spaces: string, code: string) =>
      indented(ofHex(code).replaceAll('CHART', chart), spaces),
    )
    .replaceAll(raw, (_, code: string) => ofHex(code))
}

/** Quotes a value with a placeholder: a name may consist of digits. */
function quotedLine(line: string): string {
  const [, before = '', value = ''] =
    /^( *(?:- )*(?:[^\s"':#][^:\s]*: )?)([^\s"'|>]\S*)$/.exec(line) ?? []
  const isNamed = Object.values(placeholders).some((name) => value.includes(name))
  return isNamed ? `${before}"${value}"` : line
}

function indented(text: string, spaces: string): string {
  return text
    .split('\n')
    .map((line) => (/^\{\{-? (if|else|end|with|range)/.test(line) ? line : `${spaces}${line}`))
    .join('\n')
    .replaceAll(/INDENT(?:\+(\d+))?/g, (_, more = '0') => String(spaces.length + Number(more)))
}
