/** @jsxImportSource hono/jsx */

export interface LinkedFile {
  readonly name: string;
  readonly release: string;
  readonly url: string;
}

export const Files = ({ label, files }: { label: string; files: readonly LinkedFile[] }) => (
  <ul class="stack" aria-label={label}>
    {files.map(({ name, release, url }) => (
      <li>
        <a href={url}>{name}</a> <span class="faint">{release}</span>
      </li>
    ))}
  </ul>
);
