import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { ConsoleSetup, ConsoleSetupCheckBody } from '../../api/generated.ts';
import { Button } from '../../parts/button.tsx';
import { useSentence } from '../../parts/error-view.tsx';
import { useGateway } from '../../parts/gateway.ts';
import { Section } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { useTexts } from '../../texts/texts.ts';
import { providers, providerVariables } from './providers.ts';
import { texts } from './texts.ts';

export function WaysToPay({ setup }: { readonly setup: ConsoleSetup }) {
  const t = useTexts(texts);
  return (
    <Section title={t.sections.ways}>
      <ul className="setup-list">
        {['manual', 'cod', ...providers].map((id) => (
          <Way key={id} id={id} setup={setup} />
        ))}
      </ul>
    </Section>
  );
}

interface WayProps {
  readonly id: string;
  readonly setup: ConsoleSetup;
}

function Way({ id, setup: { gateways, settings } }: WayProps) {
  const t = useTexts(texts).ways;
  const nameOf = useGateway();
  const gateway = gateways.find((each) => each.id === id);
  const provider = providers.find((each) => each === id);
  const isOn = gateway?.active === true;
  const lack = () => {
    if (isOn) return id === 'cod' ? t.cod : t.offered;
    if (provider && !gateway) return t.lacks(providerVariables[provider].join(', '));
    if (settings.currency === null) return t.noCurrency;
    return id === 'manual' ? t.noAccount : t.otherCurrency(settings.currency);
  };
  return (
    <li className="card setup">
      <div className="setup-name">
        <strong>{nameOf(id)}</strong>
        <Status tone={isOn ? 'good' : 'neutral'}>{isOn ? t.on : t.off}</Status>
      </div>
      <p className="faint">{lack()}</p>
      {provider && gateway && <Check gateway={provider} name={nameOf(id)} />}
    </li>
  );
}

/** Asks the provider if it accepts the configured credentials. */
function Check({ gateway, name }: ConsoleSetupCheckBody & { readonly name: string }) {
  const t = useTexts(texts).ways;
  const check = useMutation({
    mutationFn: async () => (await api.console.setup.check({ gateway })).data.problem,
  });
  const failed = useSentence(check.error);
  const { data: problem } = check;
  return (
    <div className="row">
      <Button busy={check.isPending} aria-label={t.checkOf(name)} onClick={() => check.mutate()}>
        {t.check}
      </Button>
      <span role="status" className={problem || failed ? 'complaint' : undefined}>
        {failed || (problem === null && t.answered) || (problem && t.problem(problem))}
      </span>
    </div>
  );
}
