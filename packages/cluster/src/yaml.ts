/**
 * @setpoint/cluster/yaml: YAML as Kubernetes reads and writes it.
 *
 * The command line prints manifests and objects with it, so that they look like kubectl's; the server answers with the
 * same code. It promises Go's choices (YAML 1.1, sorted keys, which texts are quoted), loads nothing of the cluster and
 * knows no kinds. `parseYaml` reads the first document only.
 */
export { encodeYaml } from './codec/yaml/encode-yaml.ts'
export { parseYaml } from './codec/yaml/parse-yaml.ts'
