import { Drawer } from '@base-ui/react/drawer';
import { Sidebar } from './sidebar.tsx';
import { texts } from '../texts.ts';
import styles from '../frame.module.css';

/** The sidebar on phones: a drawer over the page that a swipe closes. */
const SidebarDrawer = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Drawer.Root open={isOpen} onOpenChange={(open) => !open && onClose()} swipeDirection="left">
    <Drawer.Portal>
      <Drawer.Backdrop className={styles.backdrop} />
      <Drawer.Viewport className={styles.viewport}>
        <Drawer.Popup className={styles.drawer}>
          <Drawer.Title className="visually-hidden">{texts.menu}</Drawer.Title>
          <Drawer.Content className={styles.drawerContent}>
            <Sidebar />
          </Drawer.Content>
        </Drawer.Popup>
      </Drawer.Viewport>
    </Drawer.Portal>
  </Drawer.Root>
);

export default SidebarDrawer;
