/** Where an answer comes from: its citations, each source once. */
import type { JSX } from "preact";
import type { Citation } from "../tree";

/** A source; without `href` it is a file, or an address that leads to no web page. */
interface Source {
  title: string;
  href: string | null;
  host: string;
}

const WEB = new Set(["http:", "https:"]);

/** The sources of citations, each once, in the order in which they are cited first. */
export function sourcesOf(citations: Citation[]): Source[] {
  const found = new Map<string, Citation>();
  for (const one of citations) {
    const key = one.url ?? one.file_id ?? one.title;
    if (key === null) continue;
    const known = found.get(key);
    if (!known) found.set(key, one);
    else if (!known.title) found.set(key, { ...known, title: one.title });
  }
  return [...found].map(([key, { url, title }]) => source(title || key, url));
}

function source(title: string, url: string | null): Source {
  const address = url !== null && URL.canParse(url) ? new URL(url) : null;
  if (!address || !WEB.has(address.protocol)) return { title, href: null, host: "" };
  return { title, href: address.href, host: address.host };
}

export function Sources({ citations }: { citations: Citation[] }): JSX.Element | null {
  const sources = sourcesOf(citations);
  if (!sources.length) return null;
  return (
    <section class="nba-sources">
      <div class="nba-label">Sources</div>
      <ol>
        {sources.map(({ title, href, host }, at) => (
          <li key={at}>
            {href === null ? (
              title
            ) : (
              <a href={href} title={href} target="_blank" rel="noopener noreferrer">
                {title}
              </a>
            )}
            {host && host !== title && <span class="nba-small"> {host}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
