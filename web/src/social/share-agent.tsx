import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../parts/controls/button.tsx';
import { usePageActions } from '../parts/page/page-actions.ts';
import { ShareDialog } from './share-dialog.tsx';
import { texts } from './texts.ts';

/** Shares a public agent by link. */
export function ShareAgent({ agentId }: { agentId: string }) {
  const [isSharing, setSharing] = useState(false);
  usePageActions([{ label: texts.shareAgent, run: () => setSharing(true) }]);
  return (
    <>
      <Button onClick={() => setSharing(true)}>
        <Share2 size={16} />
        {texts.share}
      </Button>
      <ShareDialog isOpen={isSharing} target={{ type: 'AGENT', agentId }} onClose={() => setSharing(false)} />
    </>
  );
}
