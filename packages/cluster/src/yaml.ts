/**
 * @setpoint/cluster/yaml: YAML as Kubernetes reads and writes it.
 *
 * The CLI prints manifests and objects with it, so that they look like kubectl's output. The server
 * uses the same code for its responses. It follows Go's choices (YAML 1.1, sorted keys, which texts
 * are quoted), does not load the cluster and does not depend on kinds. `parseYaml` reads only the
 * first document.
 */
export { encodeYaml } from './codec/yaml/encode-yaml.ts'
export { parseYaml } from './codec/yaml/parse-yaml.ts'
