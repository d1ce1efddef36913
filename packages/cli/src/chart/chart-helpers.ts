/**
 * The helpers of a chart. The name of a release that contains the name of the chart is used alone, as
 * in most charts. Names leave room for suffixes.
 */
export function helpersTemplate(chart: string): string {
  const define = (name: string, ...lines: readonly string[]): string =>
    `{{- define "${chart}.${name}" -}}\n${lines.join('\n')}\n{{- end }}\n`
  const shorten = '| trunc 40 | trimSuffix "-"'
  return [
    define(
      'fullname',
      '{{- $name := default .Chart.Name .Values.nameOverride }}',
      '{{- if .Values.fullnameOverride }}',
      `{{- .Values.fullnameOverride ${shorten} }}`,
      '{{- else if contains $name .Release.Name }}',
      `{{- .Release.Name ${shorten} }}`,
      '{{- else }}',
      `{{- printf "%s-%s" .Release.Name $name ${shorten} }}`,
      '{{- end }}',
    ),
    '{{/* The name of cluster-scoped objects, unique for each release. */}}\n',
    define(
      'sharedName',
      `{{- $name := include "${chart}.fullname" . }}`,
      '{{- if eq .Release.Namespace (printf "%s-system" $name) }}',
      '{{- $name }}',
      '{{- else }}',
      '{{- printf "%s-%s" $name .Release.Namespace }}',
      '{{- end }}',
    ),
    define(
      'moreLabels',
      'helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}',
      'app.kubernetes.io/version: {{ .Chart.AppVersion | replace "+" "_" | trunc 63 | quote }}',
      '{{- with .Values.commonLabels }}',
      '{{ toYaml . }}',
      '{{- end }}',
    ),
  ].join('')
}

/** Helpers that only charts with pods need. */
export function podHelpersTemplate(chart: string): string {
  return `{{- define "${chart}.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "${chart}.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}
{{- define "${chart}.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}
{{- end }}
`
}

/** What Helm prints after an installation. */
export function notesTemplate(
  chart: string,
  resources: readonly { readonly plural: string; readonly group: string }[],
): string {
  const kinds = resources.map(({ plural, group }) => `${plural}.${group}`)
  const commands = kinds.map((name) => `  kubectl get ${name} --all-namespaces\n`).join('')
  return `{{ include "${chart}.fullname" . }} {{ .Chart.AppVersion }} is installed in {{ .Release.Namespace }}.
{{- if .Values.watchNamespaces }}
It works in {{ join ", " .Values.watchNamespaces }}.
{{- else }}
It works in all namespaces.
{{- end }}
${commands === '' ? '' : `\nIts resources:\n${commands}`}`
}
