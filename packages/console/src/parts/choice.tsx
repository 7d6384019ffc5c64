interface ChoiceProps {
  readonly name: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox with its label. */
export const Choice = ({ name, hint, checked, onChange }: ChoiceProps) => (
  <label className="check-line">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    <span>
      {name}
      {hint && <span className="small faint"> {hint}</span>}
    </span>
  </label>
);
