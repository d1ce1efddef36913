import { projectDockerfile } from '../build/dockerfile.ts'
import { version } from '../version.ts'
import type { ResourceNames } from './names.ts'
import { readme } from './readme.ts'
import { type ProjectFiles, resourceFiles } from './resource-files.ts'

/** Where a new project gets the packages of Setpoint. */
export interface PackageSource {
  /** The version of a package, or its tarball in the project. */
  versionOf(name: 'setpoint' | '@setpoint/cluster' | '@setpoint/sim' | '@setpoint/cli'): string
  /** The tarballs to copy: their paths in the project, and their present paths. */
  readonly tarballs: ReadonlyMap<string, string>
}

/** The released packages. */
export const releasedPackages: PackageSource = { versionOf: () => version, tarballs: new Map() }

/** What a project is made from. */
interface ProjectParts {
  readonly resource: ResourceNames
  readonly packages: PackageSource
  /** The text and the sources of a project from a chart. */
  readonly chart?: { readonly readme: string; readonly files: ProjectFiles } | undefined
}

/** All files of a new project. */
export function projectFiles(
  name: string,
  { resource, packages, chart }: ProjectParts,
): ProjectFiles {
  const hasTarballs = packages.tarballs.size > 0
  return {
    'package.json': `${JSON.stringify(manifest(name, packages, chart !== undefined), undefined, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(compilerSettings, undefined, 2)}\n`,
    'README.md': chart?.readme ?? readme(name, resource),
    '.gitignore': 'node_modules/\ndist/\n.setpoint/\n',
    '.dockerignore': ['*', ...imageSources(hasTarballs).map((path) => `!${path}`), ''].join('\n'),
    Dockerfile: projectDockerfile({ hasTarballs, hasHelm: chart !== undefined }),
    'src/operators.ts': operatorsText(resource),
    ...(chart?.files ?? resourceFiles(resource)),
  }
}

/** What the build in the image needs. */
function imageSources(hasTarballs: boolean): string[] {
  const own = ['package.json', 'package-lock.json', 'tsconfig.json', 'src']
  return hasTarballs ? [...own, 'vendor'] : own
}

function manifest(name: string, packages: PackageSource, hasChart: boolean): object {
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      dev: 'setpoint dev --samples',
      start: 'setpoint run',
      test: 'tsc && vitest run',
      typecheck: 'tsc',
      generate: 'setpoint generate',
      build: 'setpoint build',
      check: 'setpoint generate --check && npm test',
    },
    // helm and its files need a place to write.
    ...(hasChart ? { setpoint: temporaryFiles } : {}),
    dependencies: {
      setpoint: packages.versionOf('setpoint'),
      ...(hasChart ? { yaml: '^2.9.1' } : {}),
      zod: '^4.6.7',
    },
    devDependencies: {
      '@setpoint/cli': packages.versionOf('@setpoint/cli'),
      '@setpoint/cluster': packages.versionOf('@setpoint/cluster'),
      '@setpoint/sim': packages.versionOf('@setpoint/sim'),
      '@types/node': '^20.19.43',
      typescript: '^6.0.3',
      vitest: '^4.1.12',
    },
  }
}

const temporaryFiles = {
  pod: { volumes: [{ name: 'tmp', emptyDir: {} }] },
  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
}

const compilerSettings = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    // The cache of the type checks of `setpoint dev`, `generate` and `build`.
    incremental: true,
    tsBuildInfoFile: '.setpoint/types.tsbuildinfo',
  },
  include: ['src'],
}

/** The module with the list of operators, which `setpoint` loads. */
function operatorsText({ variable, file }: ResourceNames): string {
  return `import ${variable} from './${file}.ts'

/** The operators of this project, which the commands of \`setpoint\` load. */
export default [${variable}]
`
}
