;;; ide-companion-list.el --- Lists of what waits and what is stored  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The program lists proposals that wait, what agents wrote without asking,
;; recovered edits, comments that no agent has received, and what was decided.
;; Each row comes with what can be done with it.

;;; Code:

(require 'ide-companion-act)
(require 'ide-companion-evil)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-rpc)
(require 'ide-companion-status)
(require 'ide-companion-text)
(require 'ide-companion-windows)
(require 'ide-companion-written)

(defconst ide-companion--action-keys
  '(("show" . "RET") ("accept" . "a") ("reject" . "k") ("accept-agent" . "r") ("accept-ahead" . "t")
    ("keep" . "a") ("restore" . "r") ("revert" . "t") ("undo" . "u") ("reapply" . "p") ("send" . "s")
    ("copy" . "w") ("discard" . "D"))
  "The keys of what can be done with a row, by the names of the program.")

(defvar ide-companion-list-mode-map
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,_ . ,key) ide-companion--action-keys)
      (define-key map (kbd key) (lambda () (interactive) (ide-companion--act-here key))))
    (define-key map "A" #'ide-companion-accept-all)
    (define-key map "K" #'ide-companion-reject-all)
    (define-key map "T" #'ide-companion-stop-ahead)
    map)
  "Keys in a list.")

(defvar-local ide-companion--list nil "What this buffer lists, by the name of the program.")
(defvar-local ide-companion--rows nil "The rows of this list, as the program has sent them: (ID . ROW).")

(define-derived-mode ide-companion-list-mode tabulated-list-mode "Agents"
  "A list of what waits for you, or of what the program stores."
  (setq tabulated-list-format [("File" 20 t) ("Agent" 11 t) ("When" 11 t) ("" 0 nil)]
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (ide-companion--show-list ide-companion--list)))
  (tabulated-list-init-header)
  (ide-companion--evil-list-keys ide-companion-list-mode-map))

(defun ide-companion--list-buffer (list)
  "The name of the buffer of LIST."
  (format "*ide-companion %s*" list))

(defun ide-companion--row-entry (row)
  "ROW of the program as a line of the list."
  (list (plist-get row :id)
        (vector (ide-companion--short (plist-get row :label) 20)
                (plist-get row :agent)
                (format-time-string "%m-%d %R" (/ (plist-get row :at) 1000))
                (plist-get row :text))))

(defun ide-companion--fill-list (list rows)
  "Fill the buffer of LIST with ROWS of the program, and return it."
  (with-current-buffer (get-buffer-create (ide-companion--list-buffer list))
    (unless (derived-mode-p 'ide-companion-list-mode) (ide-companion-list-mode))
    (when (equal list "written")
      (setq next-error-function #'ide-companion--next-listed
            next-error-last-buffer (current-buffer)))
    (setq ide-companion--list list
          ide-companion--rows (mapcar (lambda (row) (cons (plist-get row :id) row)) rows)
          tabulated-list-entries (mapcar #'ide-companion--row-entry rows))
    (tabulated-list-print t)
    (current-buffer)))

(defun ide-companion--show-list (list)
  "Show LIST of the program, or close it when there is nothing in it."
  (ide-companion--send-drafts)
  (let* ((answer (ide-companion--fetch :companion/list (list :list list)))
         (rows (append (plist-get answer :rows) nil))
         (buffer (ide-companion--fill-list list rows)))
    (cond
     (rows
      (ide-companion--pop-to-list buffer)
      (ide-companion--say "%s" (ide-companion--row-hints (car rows))))
     (t
      (ide-companion--say "%s" (plist-get answer :none))
      (when (get-buffer-window buffer) (quit-windows-on buffer t))))))

(defun ide-companion--update-waiting ()
  "Update the list of proposals soon, if there is one."
  (let ((buffer (ide-companion--list-buffer "waiting")))
    (when (get-buffer buffer)
      (if (not (ide-companion--ready-p))
          (ide-companion--fill-list "waiting" nil)
        (ide-companion--send-drafts)
        (ide-companion--ask :companion/list '(:list "waiting")
                            (lambda (answer _)
                              (when (and answer (get-buffer buffer))
                                (ide-companion--fill-list "waiting" (plist-get answer :rows)))))))))

(add-hook 'ide-companion--status-hook #'ide-companion--update-waiting)

(defun ide-companion--key-of (action)
  "The key of ACTION of a row: instead of `k' it is `x' in Evil."
  (let ((key (cdr (assoc (plist-get action :code) ide-companion--action-keys))))
    (if (and (equal key "k") (bound-and-true-p evil-local-mode)) "x" key)))

(defun ide-companion--row-hints (row)
  "What the keys do with ROW, for people."
  (concat (cond ((plist-get row :detail) "RET shows them, ")
                ((equal ide-companion--list "waiting") "RET visits, "))
          (mapconcat (lambda (action)
                       (format "%s %s" (ide-companion--key-of action) (plist-get action :name)))
                     (plist-get row :actions) ", ")))

(defun ide-companion--row-here ()
  "The row at point."
  (or (cdr (assoc (tabulated-list-get-id) ide-companion--rows))
      (user-error "There is nothing here")))

(defun ide-companion--act-here (key)
  "Do what KEY is for with the row at point."
  (let* ((row (ide-companion--row-here))
         (code (plist-get (seq-find (lambda (one)
                                      (equal key (cdr (assoc (plist-get one :code) ide-companion--action-keys))))
                                    (plist-get row :actions))
                          :code)))
    (cond
     ((equal code "accept-ahead") (call-interactively #'ide-companion-accept-ahead))
     (code
      (ide-companion--take-effect
       (ide-companion--act (list :list ide-companion--list :id (plist-get row :id) :action code))))
     ((not (equal key "RET")) (user-error "This list has nothing for this key"))
     ((plist-get row :detail)
      (ide-companion--show-text "*ide-companion message*" #'special-mode (plist-get row :detail)))
     (t (ide-companion--enter (ide-companion--expect row))))))

;;; Hunks of what agents wrote

(defvar-local ide-companion--listed-hunk nil "The id of the hunk that the user has gone to last.")

(defun ide-companion--listed-hunks ()
  "The hunks of this list, in the order of its rows: (POSITION ROW HUNK)."
  (let (found)
    (save-excursion
      (goto-char (point-min))
      (while (not (eobp))
        (let ((row (cdr (assoc (tabulated-list-get-id) ide-companion--rows))))
          (seq-doseq (hunk (plist-get row :hunks))
            (push (list (point) row hunk) found)))
        (forward-line)))
    (nreverse found)))

(defun ide-companion--next-listed (count reset)
  "Go COUNT hunks on from the row at point, or with RESET from the start.
A hunk that is decided since in the buffer of its file does not count."
  (when reset
    (goto-char (point-min))
    (setq ide-companion--listed-hunk nil))
  (pcase-let* ((list (current-buffer))
               (here (line-beginning-position))
               (hunks (ide-companion--listed-hunks))
               (last (seq-position hunks (cons here ide-companion--listed-hunk)
                                   (lambda (one visited)
                                     (equal (cons (car one) (plist-get (nth 2 one) :id)) visited))))
               (before (seq-count (lambda (one) (< (car one) here)) hunks))
               (at (+ count (or last (if (> count 0) (1- before) before))))
               (`(,position ,row ,hunk) (or (and (>= at 0) (nth at hunks))
                                            (user-error "No more changes in this list")))
               (file (ide-companion--file-of row))
               (line (with-current-buffer file (ide-companion--written-line hunk))))
    (setq ide-companion--listed-hunk (plist-get hunk :id))
    (goto-char position)
    (dolist (window (get-buffer-window-list list nil t))
      (set-window-point window position))
    (if (null line)
        (ide-companion--next-listed (if (< count 0) -1 1) nil)
      (if (eq (window-buffer) list) (pop-to-buffer file t) (pop-to-buffer-same-window file))
      (goto-char (ide-companion--line-position line)))))

;;; Commands

(defun ide-companion-accept-all ()
  "Accept all proposals, with your edits, after one question."
  (interactive)
  (ide-companion--act-on-waiting "accept"))

(defun ide-companion-reject-all ()
  "Reject all proposals after one question."
  (interactive)
  (ide-companion--act-on-waiting "reject"))

(defun ide-companion--meant ()
  "The id of the proposal that a command is about.
It is the one at point in the list, that of this buffer, or else the
oldest."
  (if (equal ide-companion--list "waiting")
      (plist-get (ide-companion--row-here) :id)
    (ide-companion--proposal-id (or ide-companion--proposal
                                    (car ide-companion--proposals)
                                    (user-error "No proposal waits for your decision")))))

(defun ide-companion-accept-rest ()
  "Accept all that wait of one agent, with your edits, after one question."
  (interactive)
  (ide-companion--act-on-waiting "accept-agent" (ide-companion--meant)))

(defun ide-companion-accept-ahead (stop-at)
  "Accept what an agent proposes until its turn ends, after a question.
Files that match STOP-AT, a list of patterns as in a `.gitignore',
wait for you all the same."
  (interactive
   (list (split-string (read-string "Files that wait for you all the same, such as *.lock (or none): "))))
  (ide-companion--act-on-waiting "accept-ahead" (ide-companion--meant) (list :stopAt (vconcat stop-at))))

(defun ide-companion-stop-ahead ()
  "Decide yourself again about what is accepted ahead."
  (interactive)
  (ide-companion--act-on-waiting "stop-ahead"))

;;;###autoload
(defun ide-companion-proposals ()
  "List the proposals that wait for your decision.
In the list you go to them, accept and reject them."
  (interactive)
  (unless ide-companion--proposals (ide-companion--nothing-here))
  (ide-companion--show-list "waiting"))

;;;###autoload
(defun ide-companion-edits ()
  "List recovered edits: text that you typed in proposals and that is in no file.
In the list you compare them with the file, restore or discard them."
  (interactive)
  (ide-companion--show-list "edits"))

;;;###autoload
(defun ide-companion-history ()
  "List what was decided about files of the open folders.
In the list you see each as a diff, take an accepted change out of its
file, and put your version of a change into it again."
  (interactive)
  (ide-companion--show-list "history"))

;;;###autoload
(defun ide-companion-written ()
  "List what agents wrote without asking, by turn and file.
In the list you see each as a diff, keep it, or revert it."
  (interactive)
  (ide-companion--show-list "written"))

;;;###autoload
(defun ide-companion-comments ()
  "List your comments on proposals that no agent has received.
In the list you read, send, copy or discard them."
  (interactive)
  (ide-companion--show-list "comments"))

(provide 'ide-companion-list)
;;; ide-companion-list.el ends here
