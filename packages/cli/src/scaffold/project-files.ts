import { imageStage } from '../build/image-stage.ts'
import { version } from '../version.ts'
import type { ResourceNames } from './names.ts'
import { type ProjectFiles, resourceFiles } from './resource-files.ts'

/** Where our packages come from: the registry, or files, for those who try a version that is not released. */
export type PackageSource = (name: 'setpoint' | '@setpoint/cluster' | '@setpoint/cli') => string

/** Our packages as they are released. */
export const releasedPackages: PackageSource = () => version

/** Everything a new project consists of. */
export function projectFiles(
  name: string,
  resource: ResourceNames,
  packages: PackageSource,
): ProjectFiles {
  return {
    'package.json': `${JSON.stringify(manifest(name, packages), undefined, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(compilerSettings, undefined, 2)}\n`,
    'README.md': readme(name, resource),
    '.gitignore': 'node_modules/\ndist/\n.setpoint/\n',
    '.dockerignore': '*\n!package.json\n!package-lock.json\n!tsconfig.json\n!src\n',
    Dockerfile: dockerfile,
    'src/operators.ts': operatorsText(resource),
    ...resourceFiles(resource),
  }
}

function manifest(name: string, packages: PackageSource): object {
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      dev: 'setpoint dev --samples',
      start: 'setpoint run',
      test: 'vitest run',
      typecheck: 'tsc',
      generate: 'setpoint generate',
      build: 'setpoint build',
      check: 'tsc && setpoint generate --check && vitest run',
    },
    dependencies: { setpoint: packages('setpoint'), zod: '^4.6.7' },
    devDependencies: {
      '@setpoint/cli': packages('@setpoint/cli'),
      '@setpoint/cluster': packages('@setpoint/cluster'),
      '@types/node': '^20.19.43',
      typescript: '^6.0.3',
      vitest: '^4.1.12',
    },
  }
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
  },
  include: ['src'],
}

const dockerfile = `# docker build -t IMAGE . ; what is copied is named in .dockerignore.
FROM node:24-alpine AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY src src
RUN npx setpoint build

FROM node:24-alpine AS node

${imageStage('COPY --from=build /build/dist/ /app/')}`

/** The list of all operators, which \`setpoint\` loads. */
function operatorsText({ variable, file }: ResourceNames): string {
  return `import ${variable} from './${file}.ts'

/** Every operator of this project; \`setpoint\` runs, generates and builds what this module exports. */
export default [${variable}]
`
}

function readme(name: string, { kind, file }: ResourceNames): string {
  return `# ${name}

A Kubernetes operator, written with Setpoint. For every \`${kind}\` it keeps a Deployment and a Service; \`src/${file}.ts\` is
all of it.

\`\`\`sh
npm run dev          # a cluster in this process, the operator on it, the sample applied; reloads when you save
npm test             # the same cluster in virtual time
npm run generate     # CRD, RBAC, Deployment, samples and kustomization in config/
npm run build        # one file, a Dockerfile and an SBOM in dist/
\`\`\`

While \`npm run dev\` runs, use it with kubectl (or \`npx setpoint kubectl\`, where kubectl is not installed):

\`\`\`sh
export KUBECONFIG=$PWD/.setpoint/kubeconfig
kubectl get ${kind.toLowerCase()}s,deployments,pods
\`\`\`

On a real cluster:

\`\`\`sh
npx setpoint doctor                         # versions, rights, differences
npx setpoint install                        # the CRD
npm start                                   # the operator on this machine, or
npx setpoint deploy --image IMAGE           # in the cluster, once the image is pushed
npx setpoint undeploy
\`\`\`

Another resource: \`npx setpoint add resource KIND\`.
`
}
