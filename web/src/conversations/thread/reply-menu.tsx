import { BookOpen, Copy, Download, Ellipsis, Link2, Volume2 } from 'lucide-react';
import { useContext } from 'react';
import type { ThreadMessageFragment } from '../../api/generated/operations.ts';
import { common } from '../../parts/common-texts.ts';
import { copyText } from '../../parts/values/copy-text.ts';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { Menu, MenuItem, MenuNote } from '../../parts/layers/menu.tsx';
import { downloadFrom } from '../download-conversation.ts';
import { readAloud } from './read-aloud.tsx';
import { OpenSource } from '../sources/sources.ts';
import { texts } from '../texts.ts';

interface ReplyMenuProps {
  conversationId: string;
  message: ThreadMessageFragment;
}

/** Less frequent actions on a reply, and its token usage. */
export function ReplyMenu({ conversationId, message }: ReplyMenuProps) {
  const { id, content, citations } = message;
  const openSource = useContext(OpenSource);
  const link = `${location.origin}/chat/${conversationId}?m=${id}`;
  return (
    <Menu
      align="start"
      trigger={
        <IconButton size="small" label={common.more}>
          <Ellipsis size={16} />
        </IconButton>
      }
    >
      <MenuNote note={usageOf(message)}>
        <MenuItem icon={<Copy size={16} />} onClick={() => void copyText(content)}>
          {texts.copyMarkdown}
        </MenuItem>
        <MenuItem icon={<Link2 size={16} />} onClick={() => void copyText(link, texts.linkCopied)}>
          {texts.copyLinkMessage}
        </MenuItem>
        <MenuItem icon={<Volume2 size={16} />} onClick={() => void readAloud(conversationId, id)}>
          {texts.readAloud}
        </MenuItem>
        <MenuItem icon={<Download size={16} />} onClick={() => void downloadFrom(conversationId, id)}>
          {texts.exportFromHere}
        </MenuItem>
        {citations && citations.length > 0 && (
          <MenuItem icon={<BookOpen size={16} />} onClick={() => openSource({ citations, index: 0 })}>
            {texts.openSources}
          </MenuItem>
        )}
      </MenuNote>
    </Menu>
  );
}

const seconds = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });

const durationOf = (ms: number): string => (ms < 1_000 ? texts.lessThanSecond : seconds.format(ms / 1_000));

/** Such as "This reply: 1,204 tokens read, 87 written, 2.3 sec". */
function usageOf({ generation }: ThreadMessageFragment): string {
  if (!generation) return texts.messageNotWrittenModel;
  const { usage, durationMs } = generation;
  const tokens = usage
    ? [texts.tokensRead(usage.inputTokens), `${usage.outputTokens.toLocaleString()} written`]
    : [texts.tokensUnknown];
  const time = typeof durationMs === 'number' ? [durationOf(durationMs)] : [];
  return texts.thisReply([...tokens, ...time].join(', '));
}
