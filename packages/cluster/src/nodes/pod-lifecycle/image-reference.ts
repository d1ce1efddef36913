import { hexDigest } from './container-id.ts'

/** An image as container runtimes report it. */
interface ImageReference {
  /** `docker.io/library/nginx:1.25` */
  readonly image: string
  /** `docker.io/library/nginx@sha256:...` */
  readonly imageID: string
}

/** The name and ID that a container runtime reports for an image of a pod spec. */
export function imageReference(given: string): ImageReference {
  const [named = '', digest] = given.split('@')
  const tagAt = named.indexOf(':', named.lastIndexOf('/') + 1)
  const repository = fullName(tagAt < 0 ? named : named.slice(0, tagAt))
  const tag = tagAt < 0 ? 'latest' : named.slice(tagAt + 1)
  const known = digest ?? `sha256:${hexDigest(`${repository}:${tag}`, 64)}`
  const imageID = `${repository}@${known}`
  return { image: digest === undefined ? `${repository}:${tag}` : imageID, imageID }
}

/** The first part is a host if it looks like one. Images without a host come from Docker Hub. */
function fullName(name: string): string {
  const [first = '', ...rest] = name.split('/')
  if (rest.length === 0) return `docker.io/library/${name}`
  return /[.:]/.test(first) || first === 'localhost' ? name : `docker.io/${name}`
}
