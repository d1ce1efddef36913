import { CommandError, exitCodes } from '../command/index.ts'
import type { Project } from '../project/index.ts'

/** What a single call wants otherwise than the project's settings say. */
export interface ManifestOptions {
  readonly image?: string | undefined
  readonly namespace?: string | undefined
  readonly replicas?: number | undefined
}

/** What the manifests of a project are made with. */
export interface ManifestSettings {
  /** What the operators are called in the cluster. */
  readonly name: string
  /** What their objects are called where several deployments of the project could meet. */
  readonly sharedName: string
  /** Where they are deployed. */
  readonly namespace: string
  readonly image: string
  readonly replicas: number
  /** The namespaces they are restricted to by the project, whatever the operators say. */
  readonly watch: readonly string[] | undefined
}

/** A label of DNS, which names of namespaces, services and values of labels have to be. */
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Leaves room for what is added to it: `-metrics`, the hashes of pods. */
const nameCharactersMax = 40

/** What a project's manifests are made with: options before settings, settings before what follows from the project. */
export function manifestSettings(project: Project, options: ManifestOptions): ManifestSettings {
  const { settings, version } = project
  const name = nameOf(project.name)
  const namespaceDefault = `${name}-system`
  const namespace = checked(
    options.namespace ?? settings.namespace ?? namespaceDefault,
    'the namespace',
  )
  for (const watched of settings.watch ?? []) checked(watched, 'the namespace to watch')
  return {
    name,
    sharedName: namespace === namespaceDefault ? name : `${name}-${namespace}`,
    namespace,
    image: checkedImage(options.image ?? tagged(settings.image ?? name, version)),
    replicas: options.replicas ?? settings.replicas ?? 1,
    watch: settings.watch === undefined ? undefined : [...new Set(settings.watch)].sort(),
  }
}

/** The name of a package as a name in a cluster: `@team/my_app` is `my-app`. */
function nameOf(packageName: string): string {
  const name = packageName
    .replace(/^@[^/]*\//, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, nameCharactersMax)
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'operator' : name
}

/** An image without a tag is that of the project's version. */
function tagged(image: string, version: string): string {
  const { tag, digest } = imageParts(image)
  if (tag !== undefined || digest !== undefined) return image
  return `${image}:${version.replaceAll(/[^\w.-]/g, '-')}`
}

/** The parts of an image's name, as kustomize takes them. */
export function imageParts(image: string): {
  readonly name: string
  readonly tag?: string
  readonly digest?: string
} {
  const [named = '', digest] = image.split('@', 2)
  const [, name = named, tag] = /^(.*?)(?::([^/:]*))?$/.exec(named) ?? []
  return {
    name,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  }
}

function checked(namespace: string, what: string): string {
  if (label.test(namespace)) return namespace
  throw new CommandError(`${what} ${JSON.stringify(namespace)} cannot be the name of one`, {
    hint: 'names of namespaces have lower case letters, digits and dashes',
    exitCode: exitCodes.usage,
  })
}

function checkedImage(image: string): string {
  if (/^[a-z0-9]([\w.-]*(:\d+)?\/)?[\w./-]*(:[\w][\w.-]*)?(@[a-z0-9+]+:[0-9a-f]+)?$/i.test(image)) {
    return image
  }
  throw new CommandError(`${JSON.stringify(image)} cannot be the name of an image`, {
    hint: 'write it as `docker pull` takes it: registry.example.com/team/app:1.0.0',
    exitCode: exitCodes.usage,
  })
}
