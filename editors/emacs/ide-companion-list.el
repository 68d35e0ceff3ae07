;;; ide-companion-list.el --- All proposals that wait  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The list of proposals, and decisions about several of them at once.

;;; Code:

(eval-when-compile
  (require 'subr-x))
(require 'ide-companion-decision)
(require 'ide-companion-evil)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-rpc)
(require 'ide-companion-status)
(require 'ide-companion-stored)
(require 'ide-companion-windows)

(defvar ide-companion-proposals-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'ide-companion-proposals-visit)
    (define-key map "m" #'ide-companion-proposals-mark)
    (define-key map "u" #'ide-companion-proposals-unmark)
    (define-key map "a" #'ide-companion-proposals-accept)
    (define-key map "k" #'ide-companion-proposals-reject)
    (define-key map "A" #'ide-companion-accept-all)
    (define-key map "K" #'ide-companion-reject-all)
    (define-key map "r" #'ide-companion-accept-rest)
    (define-key map "t" #'ide-companion-accept-ahead)
    (define-key map "T" #'ide-companion-stop-ahead)
    map)
  "Keys in the list of proposals.")

(define-derived-mode ide-companion-proposals-mode tabulated-list-mode "Proposals"
  "Proposals that wait for your decision."
  (setq tabulated-list-format [("" 1 nil) ("File" 24 t) ("Agent" 12 t) ("" 0 nil)]
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (ide-companion--update-list)))
  (tabulated-list-init-header)
  (ide-companion--evil-list-keys ide-companion-proposals-mode-map))

(defconst ide-companion--list-name "*ide-companion proposals*")

(defvar-local ide-companion--marked nil "The marked proposals of this list.")

(defun ide-companion--list-entry (proposal words)
  "PROPOSAL as a line of the list, with WORDS about it."
  (list proposal (vector (if (memq proposal ide-companion--marked) "*" "")
                         (ide-companion--short (ide-companion--proposal-label proposal) 24)
                         (ide-companion--proposal-agent proposal)
                         (string-join (remove "" (cons words (ide-companion--local-facts proposal))) ", "))))

(defun ide-companion--list-proposals (rows)
  "Fill the list with ROWS of the program, and with what it knows no more."
  (with-current-buffer (get-buffer ide-companion--list-name)
    (setq ide-companion--marked
          (seq-filter (lambda (proposal) (memq proposal ide-companion--proposals))
                      ide-companion--marked))
    (setq tabulated-list-entries
          (delq nil (mapcar (lambda (proposal)
                              (let ((row (ide-companion--row-of proposal rows)))
                                (when (or row (ide-companion--proposal-orphan proposal))
                                  (ide-companion--list-entry
                                   proposal (if row (plist-get row :text) "nobody waits for this any more")))))
                            ide-companion--proposals)))
    (tabulated-list-print t)))

(defun ide-companion--row-of (proposal rows)
  "What ROWS of the program say of PROPOSAL, or nil."
  (and (not (ide-companion--proposal-orphan proposal))
       (seq-find (lambda (row) (equal (plist-get row :id) (ide-companion--proposal-id proposal)))
                 rows)))

(defun ide-companion--update-list ()
  "Update the list of proposals soon, if there is one."
  (when (get-buffer ide-companion--list-name)
    (if (not (ide-companion--ready-p))
        (ide-companion--list-proposals nil)
      (ide-companion--send-drafts)
      (ide-companion--ask :companion/list '(:list "waiting")
                          (lambda (answer _)
                            (when (get-buffer ide-companion--list-name)
                              (ide-companion--list-proposals (plist-get answer :rows))))))))

(add-hook 'ide-companion--status-hook #'ide-companion--update-list)

;;;###autoload
(defun ide-companion-proposals ()
  "List the proposals that wait for your decision.
In the list you go to them, mark, accept and reject them."
  (interactive)
  (if (null ide-companion--proposals)
      (ide-companion--nothing-here)
    (with-current-buffer (get-buffer-create ide-companion--list-name)
      (unless (derived-mode-p 'ide-companion-proposals-mode) (ide-companion-proposals-mode)))
    (ide-companion--send-drafts)
    (ide-companion--list-proposals
     (and (ide-companion--ready-p) (plist-get (ide-companion--fetch :companion/list '(:list "waiting")) :rows)))
    (ide-companion--pop-to-list ide-companion--list-name)
    (ide-companion--say "RET visits, m marks, a accepts, %s rejects, A, K all, r agent's, t turn's"
                        (if (bound-and-true-p evil-local-mode) "x" "k"))))

(defun ide-companion-proposals-visit ()
  "Go to the proposal at point."
  (interactive)
  (ide-companion--enter (ide-companion--stored-here)))

(defun ide-companion-proposals-mark ()
  "Mark the proposal at point, and go to the next line."
  (interactive)
  (let ((proposal (ide-companion--stored-here)))
    (unless (memq proposal ide-companion--marked)
      (push proposal ide-companion--marked)))
  (tabulated-list-set-col 0 "*" t)
  (forward-line))

(defun ide-companion-proposals-unmark ()
  "Unmark the proposal at point, and go to the next line."
  (interactive)
  (setq ide-companion--marked (delq (ide-companion--stored-here) ide-companion--marked))
  (tabulated-list-set-col 0 "" t)
  (forward-line))

(defun ide-companion--chosen ()
  "The marked proposals, oldest first, or else the one at point."
  (if ide-companion--marked
      (seq-filter (lambda (proposal) (memq proposal ide-companion--marked))
                  ide-companion--proposals)
    (list (ide-companion--stored-here))))

(defun ide-companion--decide-chosen (action method)
  "Do ACTION of the program about the marked proposals.
Without any, send the decision about the one at point by METHOD."
  (pcase (ide-companion--chosen)
    (`(,proposal) (ide-companion--decide proposal method))
    (`(,first . ,rest)
     (ide-companion--act-on-waiting
      action first (list :also (vconcat (mapcar #'ide-companion--proposal-id rest)))))))

(defun ide-companion-proposals-accept ()
  "Accept the marked proposals, or else the one at point."
  (interactive)
  (ide-companion--decide-chosen "accept" :companion/diffAccepted))

(defun ide-companion-proposals-reject ()
  "Reject the marked proposals, or else the one at point."
  (interactive)
  (ide-companion--decide-chosen "reject" :companion/diffRejected))

(defun ide-companion-accept-all ()
  "Accept all proposals, with your edits, after one question."
  (interactive)
  (ide-companion--act-on-waiting "accept"))

(defun ide-companion-reject-all ()
  "Reject all proposals after one question."
  (interactive)
  (ide-companion--act-on-waiting "reject"))

;;; The rest of an agent's, and of a turn

(defun ide-companion--proposal-meant ()
  "The proposal that a command is about.
It is the one at point in the list, that of this buffer, or else the
oldest."
  (or (and (derived-mode-p 'ide-companion-proposals-mode) (tabulated-list-get-id))
      ide-companion--proposal
      (car ide-companion--proposals)
      (user-error "No proposal waits for your decision")))

(defun ide-companion-accept-rest ()
  "Accept all that wait of one agent, with your edits, after one question."
  (interactive)
  (ide-companion--act-on-waiting "accept-agent" (ide-companion--proposal-meant)))

(defun ide-companion-accept-ahead (stop-at)
  "Accept what an agent proposes until its turn ends, after a question.
Files that match STOP-AT, a list of patterns as in a `.gitignore',
wait for you all the same."
  (interactive
   (list (split-string (read-string "Files that wait for you all the same, such as *.lock (or none): "))))
  (ide-companion--act-on-waiting "accept-ahead" (ide-companion--proposal-meant)
                                 (list :stopAt (vconcat stop-at))))

(defun ide-companion-stop-ahead ()
  "Decide yourself again about what is accepted ahead."
  (interactive)
  (ide-companion--act-on-waiting "stop-ahead"))

(provide 'ide-companion-list)
;;; ide-companion-list.el ends here
