/**
 * chart/: `setpoint chart` writes a Helm chart of the operators.
 *
 * The manifests come from `generate/`, with placeholders for what a release decides: names,
 * namespaces, values. `expressions.ts` turns their YAML into templates, so that a new object of
 * `generate` is in the chart too. `chart-values.ts` has the values, from which values.yaml and its
 * schema are made. Everything except `runChart` is pure.
 *
 * With default values, the chart has the objects of `generate`: a test compares them where helm is
 * installed.
 */
export { runChart } from './run-chart.ts'
