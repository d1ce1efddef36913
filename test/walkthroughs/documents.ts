const isReal = process.env['SETPOINT_TEST_WORLD'] === 'real'

/** The documents that work only with the embedded cluster. */
const onlyEmbedded: readonly string[] = [
  'docs/tutorial/first-operator.md',
  'operators/07-pod-usage/README.md',
]

/** The documents that are executed as written, from the root of the repository. */
export const documents: readonly string[] = [
  'test/walkthroughs/testdata/conventions.md',
  'test/walkthroughs/testdata/notes/README.md',
  'operators/01-application/README.md',
  'operators/02-elevenst-app/README.md',
  'operators/03-memcached/README.md',
  'operators/04-crontab/README.md',
  'operators/05-sample-db/README.md',
  'operators/08-service-binding/README.md',
  'operators/09-failure-drill/README.md',
  'operators/11-monitoring/README.md',
  'operators/12-jenkins/README.md',
  'operators/13-object-storage/README.md',
  'operators/14-leader/README.md',
  ...(isReal ? [] : onlyEmbedded),
]

/** Documents that need an installed program, and whose pods are processes of this machine. */
const withProcesses: readonly (readonly [document: string, program: string])[] = [
  ['operators/03-memcached/real-servers.md', 'memcached'],
  ['operators/05-sample-db/real-postgres.md', 'initdb'],
  ['operators/11-monitoring/real-prometheus.md', 'prometheus'],
  ['operators/12-jenkins/real-jenkins.md', 'jenkins.war'],
  ['operators/13-object-storage/real-minio.md', 'minio'],
]

/** Documents that need an installed program. */
export const withPrograms: readonly (readonly [document: string, program: string])[] = [
  ['operators/10-helm-release/README.md', 'helm'],
  ...(isReal ? [] : withProcesses),
]
