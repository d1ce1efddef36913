import { importsOf, isTest, scriptsOf, type SourceTree } from './source-tree.ts'

/**
 * The folders that each folder of a package may import, from the bottom up. A folder that is not
 * listed must not exist: add a new one here first, because it is a decision about the architecture.
 */
const layers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'packages/setpoint/src': {
    errors: [],
    host: ['errors'],
    log: ['errors', 'host'],
    trace: ['errors'],
    schema: ['errors'],
    cel: ['errors', 'schema'],
    protobuf: ['errors', 'schema'],
    kinds: ['errors', 'schema', 'protobuf'],
    definition: ['errors', 'schema', 'kinds'],
    client: ['errors', 'host', 'trace', 'protobuf', 'kinds', 'definition'],
    cache: ['errors', 'host', 'schema', 'protobuf', 'kinds', 'client'],
    queue: ['errors', 'host'],
    controller: ['errors', 'host', 'trace', 'schema', 'kinds', 'client', 'cache', 'queue'],
    handlers: [
      'errors',
      'host',
      'log',
      'trace',
      'schema',
      'kinds',
      'definition',
      'client',
      'cache',
      'controller',
    ],
    patch: ['schema', 'kinds', 'client'],
    events: ['host', 'kinds', 'client'],
    server: ['errors', 'host', 'log'],
    sources: ['errors', 'host', 'log', 'server'],
    'leader-election': ['errors', 'host', 'kinds', 'client'],
    metrics: ['errors', 'host', 'log', 'client', 'cache', 'controller', 'server'],
    operator: [
      'errors',
      'host',
      'log',
      'schema',
      'kinds',
      'definition',
      'client',
      'cache',
      'queue',
      'controller',
      'handlers',
      'patch',
      'events',
      'metrics',
      'sources',
    ],
    start: [
      'errors',
      'host',
      'log',
      'trace',
      'schema',
      'kinds',
      'definition',
      'client',
      'cache',
      'controller',
      'leader-election',
      'metrics',
      'sources',
      'operator',
    ],
    testing: ['errors', 'host', 'schema', 'kinds', 'definition'],
    'index.ts': [
      'errors',
      'host',
      'schema',
      'kinds',
      'definition',
      'cache',
      'log',
      'controller',
      'handlers',
      'metrics',
      'sources',
      'operator',
      'start',
    ],
  },
  'packages/setpoint/src/operator': {
    declare: [],
    owner: ['declare'],
    failures: ['declare'],
    manifest: ['declare', 'owner'],
    write: ['declare', 'owner', 'manifest'],
    children: ['declare', 'owner', 'failures', 'manifest', 'write'],
    status: ['declare', 'owner', 'failures', 'write', 'children'],
    reconcile: ['declare', 'owner', 'failures', 'manifest', 'write', 'children', 'status'],
    'rbac-for.ts': ['declare', 'owner'],
    'index.ts': ['declare', 'reconcile', 'rbac-for.ts'],
  },
  'packages/cluster/src': {
    data: [],
    status: [],
    object: ['codec'],
    quota: ['codec', 'object'],
    store: ['status'],
    journal: ['store'],
    limits: ['status'],
    codec: ['data', 'status', 'limits'],
    patch: ['codec', 'data', 'status'],
    apply: ['codec', 'data', 'status'],
    defaults: ['codec', 'status', 'object'],
    expressions: [],
    validation: ['codec', 'status', 'object', 'expressions'],
    tables: ['codec', 'data', 'status', 'object'],
    auth: ['codec', 'status', 'store'],
    outbound: ['status', 'store'],
    admission: [
      'codec',
      'patch',
      'apply',
      'status',
      'object',
      'quota',
      'store',
      'auth',
      'expressions',
      'outbound',
    ],
    api: [
      'data',
      'status',
      'object',
      'store',
      'codec',
      'patch',
      'apply',
      'defaults',
      'validation',
      'tables',
      'limits',
      'auth',
      'outbound',
      'admission',
    ],
    controllers: ['codec', 'object', 'quota', 'expressions'],
    nodes: ['codec', 'object', 'controllers'],
    cluster: [
      'data',
      'object',
      'store',
      'codec',
      'apply',
      'limits',
      'auth',
      'journal',
      'outbound',
      'admission',
      'api',
      'controllers',
      'nodes',
    ],
    'index.ts': ['store', 'nodes', 'cluster'],
    'yaml.ts': ['codec'],
  },
  'packages/cli/src': {
    command: [],
    system: ['command'],
    'version.ts': [],
    project: ['command', 'system'],
    access: ['command'],
    kubectl: ['access', 'command', 'project', 'system', 'version.ts'],
    typecheck: ['command', 'project', 'system'],
    generate: ['command', 'project', 'typecheck'],
    deploy: ['access', 'command', 'generate', 'project'],
    dev: ['access', 'command', 'kubectl', 'project', 'system', 'typecheck'],
    run: ['access', 'command', 'generate', 'project'],
    build: ['command', 'project', 'system', 'typecheck', 'version.ts'],
    kinds: ['access', 'command', 'system'],
    doctor: ['access', 'command', 'generate', 'project', 'system', 'version.ts'],
    scaffold: ['build', 'command', 'project', 'system', 'version.ts'],
    commands: [
      'access',
      'build',
      'command',
      'deploy',
      'dev',
      'doctor',
      'kinds',
      'kubectl',
      'generate',
      'run',
      'scaffold',
    ],
    'run-main.ts': ['command', 'system', 'version.ts'],
    'main.ts': ['commands', 'run-main.ts', 'system'],
    'main-new.ts': ['commands', 'run-main.ts', 'system'],
    'index.ts': ['main.ts'],
    'new.ts': ['main-new.ts'],
  },
  'packages/create-setpoint/src': { 'index.ts': [] },
}

/** A folder of a package imports only folders of lower layers. */
export function layerViolations(tree: SourceTree): string[] {
  return Object.entries(layers).flatMap(([root, allowed]) =>
    scriptsOf(tree)
      .filter((path) => path.startsWith(`${root}/`) && !isTest(path))
      .flatMap((path) => {
        const from = folderOf(root, path)
        const permitted = allowed[from]
        if (permitted === undefined) {
          return [`${path}: the folder ${from} is not in the list of layers in test/tidy/layers.ts`]
        }
        return importsOf(tree, path).flatMap(({ target }) => {
          if (target === undefined || !target.startsWith(`${root}/`)) return []
          const to = folderOf(root, target)
          return to === from || permitted.includes(to)
            ? []
            : [`${path}: ${from} must not import ${to}`]
        })
      }),
  )
}

function folderOf(root: string, path: string): string {
  return path.slice(root.length + 1).split('/')[0] ?? ''
}
