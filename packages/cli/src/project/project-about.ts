import { isRecord } from './optional-settings.ts'

/** A person or a team. */
interface Maintainer {
  readonly name: string
  readonly email?: string
  readonly url?: string
}

/** What package.json says about a project; fields of a wrong type are left out, as npm does. */
export interface ProjectAbout {
  readonly description?: string
  readonly homepage?: string
  readonly license?: string
  readonly keywords?: readonly string[]
  /** The URL of the repository. */
  readonly repository?: string
  /** `maintainers`, or the author. */
  readonly maintainers?: readonly Maintainer[]
  /** The URL of an icon, for charts. */
  readonly icon?: string
}

/** Reads the fields of package.json that npm defines. */
export function projectAbout(manifest: Readonly<Record<string, unknown>>): ProjectAbout {
  const text = (name: string): object => {
    const value = manifest[name]
    return typeof value === 'string' && value !== '' ? { [name]: value } : {}
  }
  const { keywords, repository, maintainers, author } = manifest
  const people = [maintainers ?? author ?? []].flat().flatMap(personOf)
  const url = repositoryUrl(repository)
  return {
    ...text('description'),
    ...text('homepage'),
    ...text('license'),
    ...text('icon'),
    ...(Array.isArray(keywords) && keywords.length > 0 ? { keywords: keywords.map(String) } : {}),
    ...(url === undefined ? {} : { repository: url }),
    ...(people.length === 0 ? {} : { maintainers: people }),
  }
}

/** `Jane Doe <jane@example.com> (https://example.com)`, or an object. */
function personOf(person: unknown): Maintainer[] {
  if (isRecord(person)) {
    const { name, email, url } = person
    if (typeof name !== 'string') return []
    return [
      {
        name,
        ...(typeof email === 'string' ? { email } : {}),
        ...(typeof url === 'string' ? { url } : {}),
      },
    ]
  }
  if (typeof person !== 'string') return []
  const [, name = '', email, url] =
    /^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(person.trim()) ?? []
  if (name.trim() === '') return []
  return [
    {
      name: name.trim(),
      ...(email === undefined ? {} : { email }),
      ...(url === undefined ? {} : { url }),
    },
  ]
}

/** A URL of a web page: `git+https://host/a.git` is `https://host/a`. */
function repositoryUrl(repository: unknown): string | undefined {
  const written = isRecord(repository) ? repository['url'] : repository
  if (typeof written !== 'string') return undefined
  const url = written.replace(/^git\+/, '').replace(/\.git$/, '')
  return /^https?:\/\//.test(url) ? url : undefined
}
